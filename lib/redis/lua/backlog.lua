-- How much of one partition's clicks waits to be applied.
-- KEYS stream, dead letters   Reply {entries, bytes, dead letters}
-- A script so that MEMORY USAGE finds its way on a Redis Cluster; nothing here needs to be atomic.
return { redis.call('XLEN', KEYS[1]), redis.call('MEMORY', 'USAGE', KEYS[1]) or 0, redis.call('XLEN', KEYS[2]) }
