-- Makes new codes of one shard known, whose links are in MySQL: what a former link of the same code left is forgotten.
-- KEYS changes, record...   ARGV channel, shard, items on lines of their own   Reply: how many records there were
-- Atomic: whoever was told of the change must not find the former record.
local gone = 0
for i = 2, #KEYS do gone = gone + redis.call('DEL', KEYS[i]) end
publish_change(KEYS[1], ARGV[1], ARGV[2], '0', ARGV[3])
return gone
