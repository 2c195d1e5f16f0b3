-- Trusts a shard again after what the restart may have lost was added.
-- KEYS bloom, marker   ARGV run id for which that is true   Reply 1 when trusted
-- Atomic: a second restart in the meantime must leave the shard untrusted.
if run_id() ~= ARGV[1] or not marker(KEYS[2], KEYS[1]) then return 0 end
redis.call('HSET', KEYS[2], 'run', ARGV[1])
return 1
