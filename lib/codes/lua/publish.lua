-- A writer makes its committed change known.
-- KEYS bloom, marker, next, next marker, freed, record, changes
-- ARGV item, h1, h2, value (its first 19 characters are the version), lifetime in ms,
--      freed at (ms; '' when the code is in use), channel, shard,
--      number of the shard's last change that was known before MySQL was asked ('' when it was not), a record to replace though
--      it is newer ('' for none)
-- Reply 1 when nothing newer stands there, 0 when something does, which stays
-- Atomic: record, filter and freed set must never contradict each other, and of two writers the later
-- version stays, in whichever order they arrive. The change is counted in the same step in which it can first be read.
local item, h1, h2 = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local m = marker(KEYS[2], KEYS[1])
if m then bloom_add(KEYS[1], m, item, h1, h2) end
local coming = marker(KEYS[4], KEYS[3])
if coming then bloom_add(KEYS[3], coming, item, h1, h2) end
local current = redis.call('GET', KEYS[6])
local newest = not current or string.sub(current, 1, 19) <= string.sub(ARGV[4], 1, 19) or current == ARGV[10]
if newest then
  -- An empty place may have held something newer than this, which a flush or an eviction made Redis forget: then as in fill.lua.
  if current or redis.call('GET', KEYS[7]) == ARGV[9] then redis.call('SET', KEYS[6], ARGV[4], 'PX', ARGV[5]) end
  -- Who claims a code that is missing or too many here asks MySQL.
  if ARGV[6] == '' then redis.call('ZREM', KEYS[5], item) else redis.call('ZADD', KEYS[5], ARGV[6], item) end
end
publish_change(KEYS[7], ARGV[7], ARGV[8], string.sub(ARGV[4], 1, 19), item)
return newest and 1 or 0
