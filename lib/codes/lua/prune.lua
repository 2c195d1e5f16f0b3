-- Forgets the freed codes of one shard whose quarantine is over, and the oldest of too many. The filter still knows them, so that
-- MySQL is asked when one of them is wanted again.
-- KEYS freed   ARGV freed before this time in ms ('-inf': none), how many to keep, how many to remove at most
-- Reply how many were removed
-- Atomic: counted and removed by rank, between which nothing may be added.
local over = ARGV[1] == '-inf' and 0 or redis.call('ZCOUNT', KEYS[1], '-inf', '(' .. ARGV[1])
local many = redis.call('ZCARD', KEYS[1]) - tonumber(ARGV[2])
local count = math.min(math.max(over, many), tonumber(ARGV[3]))
if count <= 0 then return 0 end
return redis.call('ZREMRANGEBYRANK', KEYS[1], 0, count - 1)
