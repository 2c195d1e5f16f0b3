-- Begins to add to a system of ids what MySQL has.
-- KEYS about   ARGV token of this resynchronisation   Reply run id
-- Atomic: the token must lie in the very run that is answered, so that what vanishes meanwhile is noticed.
redis.call('HSET', KEYS[1], 'resync', ARGV[1])
return run_id()
