-- Puts a finished generation in the place of the old one. What was trusted stays so; what was not has more to be brought up
-- to date than its filter.
-- KEYS bloom, marker, next, next marker   ARGV id of the rebuild   Reply 1 when done
-- Atomic: there is no moment without a filter, and none in which filter and marker belong to different ones.
local id = server_id()
local coming = redis.call('HMGET', KEYS[4], 'rebuild', 'begun')
if not marker(KEYS[4], KEYS[3]) or coming[1] ~= ARGV[1] or not id or coming[2] ~= id then return 0 end
local current = marker(KEYS[2], KEYS[1])
-- Since when records may be old: known even of a filter that is gone.
local beat = redis.pcall('HGET', KEYS[2], 'beat')
if type(beat) == 'string' then redis.call('HSET', KEYS[4], 'beat', beat) end
redis.call('RENAME', KEYS[3], KEYS[1])
redis.call('RENAME', KEYS[4], KEYS[2])
if current and current.server == id then believe(KEYS[2], 'server', id) end
return 1
