-- One link by its full short URL, or the filter's word that it does not exist.
-- KEYS bloom, marker, record   ARGV item, h1, h2, id of the server
-- Reply {trusted 0/1, record or false, filter says it may exist 0/1}
-- Atomic, because a record, a "no" and the marker that vouches for both must be of one moment.
local m = marker(KEYS[2], KEYS[1])
local trust = trusted(m, KEYS[2], ARGV[4])
local record = redis.call('GET', KEYS[3])
if record then return { trust and 1 or 0, record, 1 } end
if trust and not bloom_exists(KEYS[1], m, ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])) then return { 1, false, 0 } end
return { trust and 1 or 0, false, 1 }
