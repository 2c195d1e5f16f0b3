-- Keeps a copy of a record that was read when `number` was the last change.
-- KEYS state, copy   ARGV number, record, lifetime in ms   Reply 1 when kept
-- Atomic: of a change that came since, the copy would have been removed before it was there.
local state = redis.call('HMGET', KEYS[1], 'number', 'epoch')
if state[1] ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[2], state[2] .. ' ' .. ARGV[2], 'PX', ARGV[3])
return 1
