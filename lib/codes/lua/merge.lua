-- Adds a piece of the bits that a rebuild has gathered to the coming filter of one shard.
-- KEYS next, next marker, a key for what is added   ARGV id of the rebuild, where the piece begins in bytes, the piece
-- Reply 1 when done, 0 when the filter is gone, or is another
-- Atomic: between the look at the filter and the addition nothing else may take its place. And what is added lies in a key of its
-- own for the time of the script alone, where nothing evicts it and no other rebuild writes to it.
local begun = redis.pcall('HMGET', KEYS[2], 'rebuild', 'begun')
if not marker(KEYS[2], KEYS[1]) or begun[1] ~= ARGV[1] or begun[2] ~= server_id() then return 0 end
if ARGV[2] + #ARGV[3] > redis.call('STRLEN', KEYS[1]) then return 0 end
redis.call('DEL', KEYS[3])
redis.call('SETRANGE', KEYS[3], ARGV[2], ARGV[3])
redis.call('BITOP', 'OR', KEYS[1], KEYS[1], KEYS[3])
redis.call('DEL', KEYS[3])
return 1
