-- Adds a batch of positions that MySQL has.
-- KEYS about, the segments that they lie in   ARGV token of the resynchronisation, bits of a segment, bits in all, number of each
-- of these segments, position...   Reply 1, or 0 when it is no longer under way
-- Atomic with the look at the token, so that no segment is begun that a flush has emptied meanwhile.
if redis.call('HGET', KEYS[1], 'resync') ~= ARGV[1] then return 0 end
local bits, total, keys, added = tonumber(ARGV[2]), tonumber(ARGV[3]), {}, 0
for i = 2, #KEYS do
  local segment = tonumber(ARGV[i + 2])
  keys[segment] = KEYS[i]
end
local allocated = {}
for i = #KEYS + 3, #ARGV do
  local position = tonumber(ARGV[i])
  local segment = math.floor(position / bits)
  local key = keys[segment]
  if not allocated[segment] then
    if redis.call('STRLEN', key) == 0 then redis.call('SETBIT', key, math.min(bits, total - segment * bits) - 1, 0) end
    -- One that is there and was not known outlived what is known of it: so did what is set in it.
    if redis.call('HSETNX', KEYS[1], 'allocated:' .. segment, 1) == 1 then added = added + redis.call('BITCOUNT', key) end
    allocated[segment] = true
  end
  if redis.call('SETBIT', key, position % bits, 1) == 0 then added = added + 1 end
end
redis.call('HINCRBY', KEYS[1], 'used', added)
return 1
