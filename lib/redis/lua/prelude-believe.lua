-- For scripts that say what may be believed.

-- Writes down that what `key` describes is complete on this server. Not passed on to replicas: what this server holds says
-- nothing of what they hold, and a master that starts over from the data of a former replica of its own must not find there that
-- it was to be believed.
local function believe(key, field, id)
  redis.set_repl(redis.REPL_NONE)
  redis.call('HSET', key, field, id)
  redis.set_repl(redis.REPL_ALL)
end
