-- What one shard holds: its filter, and its freed codes.
-- KEYS bloom, marker, freed   ARGV bytes of a bitmap in which set bits are counted
-- Reply {implementation or '' without a filter, 1 when trusted, codes it was made for, error rate, bits, probes per item,
--        bits that were looked at, those of them that are set, items added; freed codes}
-- The bits of a bitmap are for the scripts to set, so its items are not known; those of RedisBloom's are not to be seen.
-- Atomic: the numbers of two filters must not be mixed while one takes the other's place.
local freed = redis.call('ZCARD', KEYS[3])
local m = marker(KEYS[2], KEYS[1])
if not m then return { '', 0, 0, '0', 0, 0, 0, 0, 0, freed } end
local about = redis.call('HMGET', KEYS[2], 'capacity', 'errorRate')
local capacity, added, looked, set = tonumber(about[1]) or 0, 0, 0, 0
if m.impl == 'native' then
  local info = redis.call('BF.INFO', KEYS[1])
  for i = 1, #info, 2 do
    -- A string of some releases, and a status reply of others.
    local name = type(info[i]) == 'table' and info[i].ok or info[i]
    if name == 'Number of items inserted' then added = info[i + 1] end
  end
else
  local bytes = math.min(redis.call('STRLEN', KEYS[1]), tonumber(ARGV[1]))
  looked = math.min(bytes * 8, m.bits)
  set = redis.call('BITCOUNT', KEYS[1], 0, bytes - 1)
end
local is_trusted = trusted(m, KEYS[2], '') and 1 or 0
return { m.impl, is_trusted, capacity, about[2] or '0', m.bits or 0, m.hashes or 0, looked, set, added, freed }
