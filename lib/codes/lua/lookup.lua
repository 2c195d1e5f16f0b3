-- Links by their full short URLs, or the filter's word that they do not exist.
-- KEYS bloom, marker, record of each   ARGV item, h1, h2 of each, then the id of the server
-- Reply trusted 0/1, record or false, filter says it may exist 0/1; of each
-- Atomic, because a record, a "no" and the marker that vouches for both must be of one moment.
local shards, reply = {}, {}
for i = 1, #KEYS, 3 do
  local bloom, key = KEYS[i], KEYS[i + 1]
  local shard = shards[key]
  if not shard then
    local m = marker(key, bloom)
    shard = { marker = m, trust = trusted(m, key, ARGV[#ARGV]) }
    shards[key] = shard
  end
  local record = redis.call('GET', KEYS[i + 2])
  local denied = not record and shard.trust
    and not bloom_exists(bloom, shard.marker, ARGV[i], tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2]))
  reply[i], reply[i + 1], reply[i + 2] = shard.trust and 1 or 0, record, denied and 0 or 1
end
return reply
