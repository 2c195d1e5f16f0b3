-- A copy of a link's record, on a Redis near an edge process.
-- KEYS state, copy   Reply {number of the last change that was passed on, copy is of the state's epoch 0/1, record or false}
-- Atomic: copy and state must be of one moment.
-- The state of a shard is a hash:
--   number  of the last change of which this Redis was told (publish_change in lib/codes/lua/prelude-changes.lua, on the other
--   Redis) epoch   drawn when one was missed; copies of another epoch may be out of date
local state = redis.call('HMGET', KEYS[1], 'number', 'epoch')
local copy = redis.call('GET', KEYS[2])
local epoch, record = string.match(copy or '', '^(%d+) (.*)$')
return { state[1] or '0', epoch and epoch == state[2] and 1 or 0, record or false }
