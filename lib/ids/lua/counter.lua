-- Counts on by some, on a day.
-- KEYS about, daily (a hash: day, how far its counter is)   ARGV day, by how many (0: only to read it), how far it may come ('':
-- any number), the greatest number of it that MySQL has ('' when not asked), id of the server
-- Reply the last of these numbers; -1 - the counter, which is less than 0, when it could not come so far; false when MySQL
-- has to be asked first: the day is new here, or an old copy may have been restored
-- Atomic: to create, to raise and to increment are one step.
if ARGV[4] == '' then
  if not whole(KEYS[1], ARGV[5]) or redis.call('HEXISTS', KEYS[2], ARGV[1]) == 0 then return false end
elseif tonumber(ARGV[4]) > tonumber(redis.call('HGET', KEYS[2], ARGV[1]) or 0) then
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[4])
end
if ARGV[3] ~= '' then
  local count = tonumber(redis.call('HGET', KEYS[2], ARGV[1]) or 0)
  if count + ARGV[2] > tonumber(ARGV[3]) then return -1 - count end
end
return redis.call('HINCRBY', KEYS[2], ARGV[1], ARGV[2])
