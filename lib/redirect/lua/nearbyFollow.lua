-- Takes up with the changes at `number`, after some were missed or numbers went back.
-- KEYS state   ARGV number, the one at which the state was seen   Reply 1 when it was still there
-- Atomic: of several processes that notice, one draws the epoch; and a change that was passed on meanwhile counts.
if (redis.call('HGET', KEYS[1], 'number') or '0') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'number', ARGV[1], 'epoch', now_us())
return 1
