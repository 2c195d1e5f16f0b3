-- Counts one more job of a day.
-- KEYS about, daily (a hash: day, how many)   ARGV day, the greatest number of it that MySQL has ('' when not asked), id of the
-- server Reply the number; false when MySQL has to be asked first: the day is new here, or an old copy may have been restored
-- Atomic: to create, to raise and to increment are one step.
if ARGV[2] == '' then
  if not whole(KEYS[1], ARGV[3]) or redis.call('HEXISTS', KEYS[2], ARGV[1]) == 0 then return false end
elseif tonumber(ARGV[2]) > tonumber(redis.call('HGET', KEYS[2], ARGV[1]) or 0) then
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
end
return redis.call('HINCRBY', KEYS[2], ARGV[1], 1)
