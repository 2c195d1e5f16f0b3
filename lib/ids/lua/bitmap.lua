-- Takes free bits, 0 for free, of a bitmap that lies in segments: from a random place of the first that has any, each anew.
-- KEYS about, some segments in a row   ARGV number of the first of these, bits of a segment, bits in all, how many are wanted,
-- what random places are drawn from, 1 to take all that are wanted or none, id of the server
-- Reply {1, how many are set now, 1 when a search began again at the first bit, position...}: fewer than are wanted when these
--       segments have no more; {0, how many are set, number of the first segment that may have a free bit} when that is none of
--       these; false when the bitmap is not known to be complete
-- Atomic: of any number of clients, one takes the bit that was found clear.
-- BITPOS is always given an end: without one it answers the first bit past a full bitmap.
local about = redis.call('HMGET', KEYS[1], 'run', 'segment', 'used')
if not is_server(about[1], ARGV[7]) then return false end
local named, bits, total, wanted = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
-- As full, for so many.
if ARGV[6] == '1' and total - (tonumber(about[3]) or 0) < wanted then return { 0, tonumber(about[3]), math.ceil(total / bits) } end
local first, past = tonumber(about[2]) or 0, named + #KEYS - 1
if first < named or first >= past then return { 0, tonumber(about[3]) or 0, first } end

local reply, segment = { 1, 0, 0 }, first
math.randomseed(tonumber(ARGV[5]))
while segment < past and #reply < wanted + 3 do
  local key, size = KEYS[segment - named + 2], math.min(bits, total - segment * bits)
  if redis.call('STRLEN', key) ~= math.ceil(size / 8) then
    if redis.call('HSETNX', KEYS[1], 'allocated:' .. segment, 1) == 0 then
      -- It was there: evicted, or removed by hand.
      redis.call('HDEL', KEYS[1], 'run')
      if #reply == 3 then return false end
      break
    end
    redis.call('SETBIT', key, size - 1, 0)
  elseif redis.call('HEXISTS', KEYS[1], 'allocated:' .. segment) == 0 then
    -- It outlived what was known of it (lua/bitmapAdd.lua).
    redis.call('HSET', KEYS[1], 'allocated:' .. segment, 1)
    redis.call('HINCRBY', KEYS[1], 'used', redis.call('BITCOUNT', key))
  end
  local position
  repeat
    local start = math.random(0, size - 1)
    position = redis.call('BITPOS', key, 0, start, size - 1, 'BIT')
    if position == -1 and start > 0 then
      position = redis.call('BITPOS', key, 0, 0, start - 1, 'BIT')
      if position ~= -1 then reply[3] = 1 end
    end
    if position ~= -1 then
      redis.call('SETBIT', key, position, 1)
      reply[#reply + 1] = segment * bits + position
    end
  until position == -1 or #reply == wanted + 3
  if position == -1 then segment = segment + 1 end
end
reply[2] = redis.call('HINCRBY', KEYS[1], 'used', #reply - 3)
if #reply > 3 then redis.call('HSET', KEYS[1], 'last', reply[#reply]) end
if segment ~= first then redis.call('HSET', KEYS[1], 'segment', segment) end
if #reply == 3 then return { 0, reply[2], segment } end
return reply
