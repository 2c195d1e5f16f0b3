-- Removes a record, if it is still the one that was seen.
-- KEYS record   ARGV its value   Reply 1 when it was removed
-- Atomic: what a writer published since stays.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
