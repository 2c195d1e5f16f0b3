-- Raises the counter of a day to what MySQL has.
-- KEYS daily   ARGV day, the greatest number of it that MySQL has   Reply the counter
-- Atomic: a number taken meanwhile must not be taken back.
local count = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or 0)
if count >= tonumber(ARGV[2]) then return count end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return tonumber(ARGV[2])
