-- Adds a batch of positions that MySQL knows to be busy; makes the cycle when there is none.
-- KEYS about, busy, until   ARGV token of the resynchronisation, positions in all, where to go on ('': where it was;
--      at random: '?' and the position), position and busy until (ms; '' where
--      nothing ever frees) for each
-- Reply 1, or 0 when it is no longer under way
-- Atomic with the look at the token, as in handleAdd.
if redis.call('HGET', KEYS[1], 'resync') ~= ARGV[1] then return 0 end
local total = tonumber(ARGV[2])
-- One without the other is no use: positions would stay busy for ever, or be taken twice.
if redis.call('EXISTS', KEYS[2], KEYS[3]) < 2 then
  redis.call('DEL', KEYS[2], KEYS[3])
  redis.call('SETBIT', KEYS[2], total - 1, 0)
  -- An entry that never ends, so that the set is never empty: an empty one would be no key, as an evicted one is.
  redis.call('ZADD', KEYS[3], '+inf', 'end')
end
for i = 4, #ARGV, 2 do
  redis.call('SETBIT', KEYS[2], ARGV[i], 1)
  if ARGV[i + 1] ~= '' then redis.call('ZADD', KEYS[3], 'GT', ARGV[i + 1], ARGV[i]) end
end
if string.sub(ARGV[3], 1, 1) == '?' then
  redis.call('HSETNX', KEYS[1], 'next', string.sub(ARGV[3], 2))
elseif ARGV[3] ~= '' then
  redis.call('HSET', KEYS[1], 'next', ARGV[3])
end
return 1
