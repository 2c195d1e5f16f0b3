-- Takes a free account number: a segment is a bitmap of 10,000,000 bits, 0 for free.
-- KEYS about, segment 0 to 8   ARGV byte to begin at, drawn at random from 0 to 1,249,999; id of the server
-- Reply {handle, 1 when the search began again at the first bit}; {0, 0} when all are taken; false when the
-- bitmaps are not known to be complete
-- Atomic: of any number of clients, one takes the bit that was found clear.
-- BITPOS is always given an end: without one it answers the first bit past a full bitmap.
local BYTES = 1250000
local about = redis.call('HMGET', KEYS[1], 'run', 'segment')
if not is_server(about[1], ARGV[2]) then return false end
local start, first = tonumber(ARGV[1]), tonumber(about[2]) or 0
for segment = first, #KEYS - 2 do
  local key = KEYS[segment + 2]
  local position, wrapped = redis.call('BITPOS', key, 0, start, BYTES - 1), 0
  if position == -1 and start > 0 then
    position, wrapped = redis.call('BITPOS', key, 0, 0, start - 1), 1
  end
  -- A missing bitmap has its first bit clear, whatever the range.
  if position == 0 and redis.call('STRLEN', key) ~= BYTES then
    if redis.call('HSETNX', KEYS[1], 'allocated:' .. segment, 1) == 0 then
      redis.call('HDEL', KEYS[1], 'run') -- it was there: evicted, or removed by hand
      return false
    end
    redis.call('SETBIT', key, BYTES * 8 - 1, 0)
    position, wrapped = start * 8, 0
  end
  if position ~= -1 then
    redis.call('SETBIT', key, position, 1)
    local handle = (segment + 1) * 10000000 + position
    if segment == first then
      redis.call('HSET', KEYS[1], 'last', handle)
    else
      redis.call('HSET', KEYS[1], 'last', handle, 'segment', segment)
    end
    return { handle, wrapped }
  end
end
redis.call('HSET', KEYS[1], 'segment', #KEYS - 1)
return { 0, 0 }
