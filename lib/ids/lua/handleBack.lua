-- Puts account numbers back.
-- KEYS about, segment 0 to 8   ARGV id of the server, handle...   Reply 1 when done; 0 when the bitmaps are not known to be
-- complete Atomic: the first segment that has a free number must never be thought full.
if not whole(KEYS[1], ARGV[1]) then return 0 end
local first = tonumber(redis.call('HGET', KEYS[1], 'segment')) or 0
for i = 2, #ARGV do
  local segment, position = math.floor(ARGV[i] / 10000000) - 1, ARGV[i] % 10000000
  -- A missing bitmap must stay missing, and so be noticed.
  if redis.call('EXISTS', KEYS[segment + 2]) == 1 then redis.call('SETBIT', KEYS[segment + 2], position, 0) end
  first = math.min(first, segment)
end
redis.call('HSET', KEYS[1], 'segment', first)
return 1
