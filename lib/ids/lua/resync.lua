-- Begins to add to a system of ids what MySQL has.
-- KEYS about   ARGV token of this resynchronisation   Reply id of the server
-- Atomic: the token must lie on the very server that is answered, so that what vanishes meanwhile is noticed.
redis.call('HSET', KEYS[1], 'resync', ARGV[1])
return server_id()
