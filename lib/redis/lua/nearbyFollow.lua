-- Takes up with the changes at `number`, after some were missed or numbers went back.
-- KEYS state   ARGV number   Reply 1 when it was elsewhere
-- Atomic: of several processes that notice, one draws the epoch.
if redis.call('HGET', KEYS[1], 'number') == ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'number', ARGV[1], 'epoch', now_us())
return 1
