-- Ends a resynchronisation: from now on the system is believed.
-- KEYS about   ARGV token, id of the server on which it began   Reply 1 when believed
-- Atomic: after a flush, a restart or the begin of another one, what was added may not be there.
if redis.call('HGET', KEYS[1], 'resync') ~= ARGV[1] or server_id() ~= ARGV[2] then return 0 end
redis.call('HDEL', KEYS[1], 'resync')
believe(KEYS[1], 'run', ARGV[2])
return 1
