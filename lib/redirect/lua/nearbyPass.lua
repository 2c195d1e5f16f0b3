-- Passes on a change: the copies of what changed are removed. Every edge process does so with each change; the first counts.
-- KEYS state, copy...   ARGV number of the change before, number   Reply 1 when it was the next one
-- Atomic: a copy must not be believed for a state that is past it.
for i = 2, #KEYS do redis.call('DEL', KEYS[i]) end
local number = tonumber(redis.call('HGET', KEYS[1], 'number') or '0')
if tonumber(ARGV[2]) <= number then return 0 end
redis.call('HSET', KEYS[1], 'number', ARGV[2])
if tonumber(ARGV[1]) == number then return 1 end
-- Some came in between: nobody knows of what.
redis.call('HSET', KEYS[1], 'epoch', now_us())
return 0
