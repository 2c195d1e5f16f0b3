-- Takes entries out of a stream of clicks: they were applied, or never can be.
-- KEYS stream, dead letters   ARGV group, reason ('' for applied), id...   Reply: how many there were
-- Atomic: an entry that was acknowledged but not removed would never be read again nor leave the stream,
-- and one that was removed before it lies among the dead letters would be lost.
local ids = { unpack(ARGV, 3) }
if ARGV[2] ~= '' then
  for _, id in ipairs(ids) do
    local entry = redis.call('XRANGE', KEYS[1], id, id)[1]
    if entry then
      redis.call('XADD', KEYS[2], '*', 'reason', ARGV[2], 'entry', id, unpack(entry[2]))
    end
  end
end
redis.call('XACK', KEYS[1], ARGV[1], unpack(ids))
return redis.call('XDEL', KEYS[1], unpack(ids))
