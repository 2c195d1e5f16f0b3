-- Begins a new generation of one shard's filter, or goes on with one that was begun.
-- KEYS next, next marker   ARGV implementation, bits, hashes, capacity, error rate, id of the rebuild
-- Reply 1 when begun now, 0 when it was there already
-- Atomic: from this moment on every writer adds to it, so it must be complete when it becomes visible.
local id = server_id()
if not id then return redis.error_reply('READONLY a filter is not built on a replica') end
if marker(KEYS[2], KEYS[1]) then
  local begun = redis.call('HMGET', KEYS[2], 'rebuild', 'begun')
  if begun[1] == ARGV[6] and begun[2] == id then return 0 end
end
redis.call('DEL', KEYS[1], KEYS[2])
if ARGV[1] == 'native' then
  redis.call('BF.RESERVE', KEYS[1], ARGV[5], ARGV[4])
else
  redis.call('SETBIT', KEYS[1], tonumber(ARGV[2]) - 1, 0)
end
redis.call('HSET', KEYS[2], 'impl', ARGV[1], 'type', redis.call('TYPE', KEYS[1]).ok, 'bits', ARGV[2], 'hashes', ARGV[3],
  'capacity', ARGV[4], 'errorRate', ARGV[5], 'rebuild', ARGV[6], 'begun', id)
return 1
