-- Puts a newly shuffled pool in the place of the one its maker found, or of none.
-- KEYS about, the lists as they were made, and then as they are to be named
-- ARGV id of the pool that was found ('' for none), id of the new one, its size, its digits, when it ends (s since 1970)
-- Reply 1 when done, 0 when another maker was first or a list is gone
-- Atomic: of two makers at once one wins, and no list of the other is ever read.
if (redis.call('HGET', KEYS[1], 'pool') or '') ~= ARGV[1] then return 0 end
local lists = (#KEYS - 1) / 2
for i = 2, lists + 1 do
  if redis.call('EXISTS', KEYS[i]) == 0 then return 0 end
end
for i = 2, lists + 1 do redis.call('RENAME', KEYS[i], KEYS[i + lists]) end
redis.call('HSET', KEYS[1], 'pool', ARGV[2], 'count', 0, 'size', ARGV[3], 'digits', ARGV[4])
believe(KEYS[1], 'run', server_id())
redis.call('EXPIREAT', KEYS[1], ARGV[5])
return 1
