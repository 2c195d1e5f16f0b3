-- Puts a finished generation in the place of the old one.
-- KEYS bloom, marker, next, next marker   ARGV id of the rebuild   Reply 1 when done
-- Atomic: there is no moment without a filter, and none in which filter and marker belong to different ones.
local next_marker = redis.call('HMGET', KEYS[4], 'rebuild', 'run')
if redis.call('EXISTS', KEYS[3]) == 0 or next_marker[1] ~= ARGV[1] or next_marker[2] ~= run_id() then return 0 end
local time = redis.call('TIME')
redis.call('HSET', KEYS[4], 'beat', string.format('%d', time[1] * 1000 + math.floor(time[2] / 1000)))
redis.call('RENAME', KEYS[3], KEYS[1])
redis.call('RENAME', KEYS[4], KEYS[2])
return 1
