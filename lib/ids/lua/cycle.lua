-- Takes the next positions of a cycle that are not busy, or looks at them.
-- KEYS about, busy (a bitmap of positions), until (a sorted set: position, busy until in ms; none where nothing ever frees)
-- ARGV positions in all, how many are wanted, busy until (ms; '' to look only), the time in ms ('' for the server's own), id of
--      the server, 1 where nothing ever frees
-- Reply {1, how many are free before, position...}: those that were taken, or as many as there are to look at; {0, how many are
--       free, when enough will be, in ms; -1: never} when these are too few; false when the cycle is not known to be complete
-- Atomic: to free, to find and to take are one step, or two clients would find the same.
local about = redis.call('HMGET', KEYS[1], 'run', 'next')
if not is_server(about[1], ARGV[5]) then return false end
local total, wanted, now = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[4])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

-- What is in Redis of this cycle is wrong: it goes, and is made again from what MySQL has.
local function give_up()
  redis.call('HDEL', KEYS[1], 'run')
  redis.call('UNLINK', KEYS[2], KEYS[3])
  return false
end

-- Neither key is ever empty: one that is missing was evicted, or removed by hand.
if redis.call('EXISTS', KEYS[2], KEYS[3]) < 2 then return give_up() end
-- A bounded number, so that nobody waits long behind one call; since a call takes fewer, the rest is soon done. Where more come
-- free at once, those that wait may be passed by: they are given a round later, and none twice.
local over = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', now, 'LIMIT', 0, wanted + 1000)
for i, position in ipairs(over) do
  redis.call('SETBIT', KEYS[2], position, 0)
  if i % 1000 == 0 or i == #over then redis.call('ZREM', KEYS[3], unpack(over, math.floor((i - 1) / 1000) * 1000 + 1, i)) end
end

local is_look = ARGV[3] == ''
-- Where positions free, the set says which are busy: a bit without an entry would stay for ever. Else there are bits alone.
local is_final = ARGV[6] == '1'
local busy = is_final and redis.call('BITCOUNT', KEYS[2])
local free = total - (busy or redis.call('ZCOUNT', KEYS[3], '(' .. string.format('%.0f', now), '(inf'))
if is_look then
  wanted = math.min(wanted, free)
elseif free < wanted then
  local range = { string.format('(%.0f', now), '(inf', 'WITHSCORES', 'LIMIT', wanted - free - 1, 1 }
  local frees = redis.call('ZRANGEBYSCORE', KEYS[3], unpack(range))
  return { 0, free, tonumber(frees[2] or -1) }
end

local start, reply, added = tonumber(about[2]) or 0, { 1, free }, {}
local function set(position, past)
  for one = position, past - 1 do redis.call('SETBIT', KEYS[2], one, 1) end
end
-- A run of thousands mostly is whole bytes.
local function set_run(position, past)
  local first, last = math.ceil(position / 8), math.floor(past / 8)
  if first >= last then return set(position, past) end
  set(position, first * 8)
  redis.call('SETRANGE', KEYS[2], first, string.rep('\255', last - first))
  set(last * 8, past)
end
local function take(position)
  reply[#reply + 1] = position
  -- An entry of the set takes some 100 bytes.
  if is_look or is_final then return end
  added[#added + 1] = ARGV[3]
  added[#added + 1] = position
  if #added == 1000 or #reply == wanted + 2 then
    redis.call('ZADD', KEYS[3], unpack(added))
    added = {}
  end
end
while #reply < wanted + 2 do
  local position = redis.call('BITPOS', KEYS[2], 0, start, total - 1, 'BIT')
  if position == -1 and start > 0 then position = redis.call('BITPOS', KEYS[2], 0, 0, start - 1, 'BIT') end
  local past = position + 1
  local score = position ~= start and redis.call('ZSCORE', KEYS[3], start)
  if score and tonumber(score) <= now then
    -- Its time is over without its bit having been cleared yet: the cycle must not pass it by.
    position, past = start, start + 1
  elseif position == -1 then
    return give_up()
  elseif wanted > 1 then
    -- All that follow up to a busy one are taken with it.
    local busy = redis.call('BITPOS', KEYS[2], 1, position, total - 1, 'BIT')
    past = math.min(busy == -1 and total or busy, position + wanted + 2 - #reply)
  end
  if not is_look then set_run(position, past) end
  for taken = position, past - 1 do take(taken) end
  start = past % total
end
if not is_look then redis.call('HSET', KEYS[1], 'next', start, 'last', reply[#reply]) end
return reply
