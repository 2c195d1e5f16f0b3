-- Trusts a shard once it holds all that MySQL holds.
-- KEYS bloom, marker, changes
-- ARGV id of the server, and its last beat ('' for none), for which that is true; channel, shard
-- Reply 1 when trusted
-- Atomic: a restart, a failover or a flush in the meantime must leave the shard untrusted. Counted as a change, of nothing:
-- what a reader found before may be older than what Redis has forgotten (fill.lua).
if server_id() ~= ARGV[1] or not marker(KEYS[2], KEYS[1]) then return 0 end
if (redis.call('HGET', KEYS[2], 'beat') or '') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[2], 'beat', now_ms())
publish_change(KEYS[3], ARGV[3], ARGV[4], '0', '')
believe(KEYS[2], 'server', ARGV[1])
return 1
