-- A reader keeps what it found in MySQL, unless a writer was first.
-- KEYS bloom, marker, record, changes
-- ARGV value, lifetime in ms, id of the server, number of the shard's last change that the reader knew before it asked MySQL
-- Reply 1 when kept
-- Atomic with marker and number: a slow reader must not put back what a writer had replaced, even if a flush or an old copy
-- made Redis forget that since. trust.lua counts a change too, so no number is the same before and after that.
if redis.call('GET', KEYS[4]) ~= ARGV[4] then return 0 end
if not trusted(marker(KEYS[2], KEYS[1]), KEYS[2], ARGV[3]) then return 0 end
return redis.call('SET', KEYS[3], ARGV[1], 'NX', 'PX', ARGV[2]) and 1 or 0
