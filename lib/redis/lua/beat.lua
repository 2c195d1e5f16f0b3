-- Says that the filter of one shard is still whole, or what is wrong with it.
-- KEYS bloom, marker   Reply {run id, 'ok' | 'missing' | 'restarted', last beat in ms or false}
-- Atomic: a beat must not be written for a server other than the one that was checked.
local run = run_id()
local m = marker(KEYS[2], KEYS[1])
if not m then return { run, 'missing', false } end
if m.run ~= run then return { run, 'restarted', redis.call('HGET', KEYS[2], 'beat') } end
local time = redis.call('TIME')
local now = string.format('%d', time[1] * 1000 + math.floor(time[2] / 1000))
redis.call('HSET', KEYS[2], 'beat', now)
return { run, 'ok', now }
