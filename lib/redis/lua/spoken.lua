-- Takes the next position of the cycle that is not busy.
-- KEYS about, busy (a bitmap of positions), until (a sorted set: position, busy until in ms)
-- ARGV positions in all, busy until (ms), the time in ms ('' for the server's own)
-- Reply {position, 0}; {-1, when the next one frees, in ms}; false when the cycle is not known to be complete
-- Atomic: to free, to find and to take are one step, or two clients would find the same.
if not whole(KEYS[1]) then return false end
if redis.call('EXISTS', KEYS[2], KEYS[3]) < 2 then
  redis.call('HDEL', KEYS[1], 'run') -- evicted, or removed by hand: neither is ever empty
  return false
end
local total, now = tonumber(ARGV[1]), ARGV[3]
if now == '' then
  local time = redis.call('TIME')
  now = string.format('%d', time[1] * 1000 + math.floor(time[2] / 1000))
end
-- A bounded number, so that nobody waits long behind one call; since a call takes one, these never heap up.
local over = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', now, 'LIMIT', 0, 50)
for _, position in ipairs(over) do redis.call('SETBIT', KEYS[2], position, 0) end
if #over > 0 then redis.call('ZREM', KEYS[3], unpack(over)) end
local start = tonumber(redis.call('HGET', KEYS[1], 'next')) or 0
local position = redis.call('BITPOS', KEYS[2], 0, start, total - 1, 'BIT')
if position == -1 and start > 0 then position = redis.call('BITPOS', KEYS[2], 0, 0, start - 1, 'BIT') end
if position == -1 then return { -1, tonumber(redis.call('ZRANGE', KEYS[3], 0, 0, 'WITHSCORES')[2]) } end
redis.call('SETBIT', KEYS[2], position, 1)
redis.call('ZADD', KEYS[3], ARGV[2], position)
redis.call('HSET', KEYS[1], 'next', (position + 1) % total, 'last', position)
return { position, 0 }
