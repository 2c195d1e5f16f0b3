-- Removes the record of a link that MySQL does not know, and makes that known.
-- KEYS record, changes   ARGV its value ('': whatever is there, and if nothing is), channel, shard, item
-- Reply 1 when it was still there
-- Atomic: what a writer published since stays.
if ARGV[1] ~= '' and redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
publish_change(KEYS[2], ARGV[2], ARGV[3], '0', ARGV[4])
return 1
