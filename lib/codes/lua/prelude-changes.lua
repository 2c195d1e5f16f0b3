-- For scripts that make changes known, behind lib/redis/lua/prelude-time.lua.

-- Counts a change of a shard and tells every process of it: "shard before number version item", with the number of the change
-- before, so that a process that missed one notices, and with several items on lines of their own. Numbers are the server's time
-- in microseconds, or one more than the last: they grow, and none comes twice, even on an old copy that was restored.
local function publish_change(key, channel, shard, version, items)
  local before = redis.call('GET', key) or '1'
  local number = string.format('%.0f', math.max(tonumber(before) + 1, tonumber(now_us())))
  redis.call('SET', key, number)
  redis.call('PUBLISH', channel, table.concat({ shard, before, number, version, items }, ' '))
end
