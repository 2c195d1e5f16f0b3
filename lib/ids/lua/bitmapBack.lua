-- Puts positions back.
-- KEYS about, all segments   ARGV bits of a segment, id of the server, position...   Reply 1 when done; 0 when the bitmap is not
-- known to be complete
-- Atomic: the first segment that has a free bit must never be thought full.
if not whole(KEYS[1], ARGV[2]) then return 0 end
local bits, removed = tonumber(ARGV[1]), 0
local first = tonumber(redis.call('HGET', KEYS[1], 'segment')) or 0
for i = 3, #ARGV do
  local segment = math.floor(ARGV[i] / bits)
  local key = KEYS[segment + 2]
  -- A missing segment must stay missing, and so be noticed.
  if redis.call('EXISTS', key) == 1 then removed = removed + redis.call('SETBIT', key, ARGV[i] % bits, 0) end
  first = math.min(first, segment)
end
if removed > 0 then redis.call('HINCRBY', KEYS[1], 'used', -removed) end
redis.call('HSET', KEYS[1], 'segment', first)
return 1
