-- Trusts a shard once it holds all that MySQL holds.
-- KEYS bloom, marker   ARGV id of the server, and its last beat ('' for none), for which that is true   Reply 1 when trusted
-- Atomic: a restart, a failover or a flush in the meantime must leave the shard untrusted.
if server_id() ~= ARGV[1] or not marker(KEYS[2], KEYS[1]) then return 0 end
if (redis.call('HGET', KEYS[2], 'beat') or '') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[2], 'beat', now_ms())
believe(KEYS[2], 'server', ARGV[1])
return 1
