-- Readers keep what they found in MySQL, unless a writer was first.
-- KEYS bloom, marker, record, changes of each
-- ARGV value, lifetime in ms, number of the shard's last change that the reader knew before it asked MySQL; of each, then the id of
--      the server
-- Reply how many were kept
-- Atomic with marker and number: a slow reader must not put back what a writer had replaced, even if a flush or an old copy
-- made Redis forget that since. trust.lua counts a change too, so no number is the same before and after that.
local kept, shards = 0, {}
for i = 1, #KEYS, 4 do
  local key = KEYS[i + 1]
  local shard = shards[key]
  if not shard then
    local trust = trusted(marker(key, KEYS[i]), key, ARGV[#ARGV])
    shard = { trust = trust, number = redis.call('GET', KEYS[i + 3]) }
    shards[key] = shard
  end
  local at = (i - 1) / 4 * 3
  if shard.trust and shard.number == ARGV[at + 3]
    and redis.call('SET', KEYS[i + 2], ARGV[at + 1], 'NX', 'PX', ARGV[at + 2]) then kept = kept + 1 end
end
return kept
