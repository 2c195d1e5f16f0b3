-- How much of one partition's clicks waits to be applied.
-- KEYS stream, dead letters   Reply {entries, bytes, dead letters, since when the oldest waits in ms since 1970, or 0}
-- A script so that MEMORY USAGE finds its way on a Redis Cluster; nothing here needs to be atomic.
local oldest = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1]
local since = oldest and tonumber(string.match(oldest[1], '^%d+')) or 0
return { redis.call('XLEN', KEYS[1]), redis.call('MEMORY', 'USAGE', KEYS[1]) or 0, redis.call('XLEN', KEYS[2]), since }
