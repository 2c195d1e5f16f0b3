-- Adds a batch of account numbers that MySQL has.
-- KEYS about, segment 0 to 8   ARGV token of the resynchronisation, handle...   Reply 1, or 0 when it is no longer under way
-- Atomic with the look at the token, so that no bitmap is begun that a flush has emptied meanwhile.
if redis.call('HGET', KEYS[1], 'resync') ~= ARGV[1] then return 0 end
local allocated = {}
for i = 2, #ARGV do
  local segment, position = math.floor(ARGV[i] / 10000000) - 1, ARGV[i] % 10000000
  local key = KEYS[segment + 2]
  if not allocated[segment] then
    if redis.call('STRLEN', key) == 0 then redis.call('SETBIT', key, 9999999, 0) end
    redis.call('HSET', KEYS[1], 'allocated:' .. segment, 1)
    allocated[segment] = true
  end
  redis.call('SETBIT', key, position, 1)
end
return 1
