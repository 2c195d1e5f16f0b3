-- Makes new codes of one shard known, whose links are in MySQL: what a former link of the same code left is forgotten.
-- KEYS changes, record...   ARGV channel, shard, items on lines of their own, version of each in 19 digits...
-- Reply how many records there were that were older
-- Atomic: a process that was told of the change must not find the former record. A link is found from its commit on, so what was
-- published of it meanwhile is newer, and stays.
local gone = 0
for i = 2, #KEYS do
  local held = redis.call('GETRANGE', KEYS[i], 0, 18)
  if held ~= '' and held < ARGV[i + 2] then gone = gone + redis.call('DEL', KEYS[i]) end
end
publish_change(KEYS[1], ARGV[1], ARGV[2], '0', ARGV[3])
return gone
