-- Whether the coming generation of one shard's filter is that of a rebuild, begun on this very server.
-- KEYS next, next marker   ARGV id of the rebuild   Reply 1 when it is
-- Atomic: filter, marker and server must be of one moment.
local begun = redis.pcall('HMGET', KEYS[2], 'rebuild', 'begun')
if not marker(KEYS[2], KEYS[1]) then return 0 end
return begun[1] == ARGV[1] and begun[2] == server_id() and 1 or 0
