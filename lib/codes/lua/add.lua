-- Adds a batch of codes to a filter.
-- KEYS filter, its marker, freed   ARGV for each code: item, h1, h2, freed at (ms or '')
-- Reply how many were added; 0 of a filter that is gone
-- Atomic, so that the filter cannot be swapped away in the middle of a batch.
local m = marker(KEYS[2], KEYS[1])
if not m then return 0 end
for i = 1, #ARGV, 4 do
  bloom_add(KEYS[1], m, ARGV[i], tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2]))
  if ARGV[i + 3] ~= '' then redis.call('ZADD', KEYS[3], ARGV[i + 3], ARGV[i]) end
end
return #ARGV / 4
