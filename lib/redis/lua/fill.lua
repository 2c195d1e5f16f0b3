-- A reader keeps what it found in MySQL, unless a writer was first.
-- KEYS bloom, marker, record   ARGV value, lifetime in ms, id of the server   Reply 1 when kept
-- Atomic with the marker: after a flush, a slow reader must not put back what a writer had replaced.
if not trusted(marker(KEYS[2], KEYS[1]), KEYS[2], ARGV[3]) then return 0 end
return redis.call('SET', KEYS[3], ARGV[1], 'NX', 'PX', ARGV[2]) and 1 or 0
