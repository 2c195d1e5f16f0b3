-- Takes the next position of the cycle that is not busy.
-- KEYS about, busy (a bitmap of positions), until (a sorted set: position, busy until in ms)
-- ARGV positions in all, busy until (ms), the time in ms ('' for the server's own), id of the server
-- Reply {position, 0}; {-1, when the next one frees, in ms}; false when the cycle is not known to be complete
-- Atomic: to free, to find and to take are one step, or two clients would find the same.
local about = redis.call('HMGET', KEYS[1], 'run', 'next')
if not is_server(about[1], ARGV[4]) then return false end
local first = redis.call('ZRANGE', KEYS[3], 0, 0, 'WITHSCORES')
local total, now = tonumber(ARGV[1]), tonumber(ARGV[3])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
-- A bounded number, so that nobody waits long behind one call; since a call takes one, the rest is soon done.
if first[2] and tonumber(first[2]) <= now then
  local over = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', now, 'LIMIT', 0, 50)
  for _, position in ipairs(over) do redis.call('SETBIT', KEYS[2], position, 0) end
  redis.call('ZREM', KEYS[3], unpack(over))
end
local start = tonumber(about[2]) or 0
local position = redis.call('BITPOS', KEYS[2], 0, start, total - 1, 'BIT')
if position == -1 and start > 0 then position = redis.call('BITPOS', KEYS[2], 0, 0, start - 1, 'BIT') end
if position ~= start then
  -- Its time may be over without its bit having been cleared yet: the cycle must not pass it by.
  local score = redis.call('ZSCORE', KEYS[3], start)
  if score and tonumber(score) <= now then position = start end
end
-- Neither key is ever empty: one that is missing was evicted, or removed by hand. A missing bitmap has its first bit clear.
-- And where all are busy, something says until when.
local missing = not first[1] or (position == 0 and redis.call('EXISTS', KEYS[2]) == 0)
if missing or (position == -1 and first[1] == 'end') then
  redis.call('HDEL', KEYS[1], 'run')
  return false
end
if position == -1 then return { -1, tonumber(first[2]) } end
redis.call('SETBIT', KEYS[2], position, 1)
redis.call('ZADD', KEYS[3], ARGV[2], position)
redis.call('HSET', KEYS[1], 'next', (position + 1) % total, 'last', position)
return { position, 0 }
