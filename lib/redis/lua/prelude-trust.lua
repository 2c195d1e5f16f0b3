-- Put before those scripts which say what may be believed, behind prelude.lua.

local function now_ms()
  local time = redis.call('TIME')
  return string.format('%d', time[1] * 1000 + math.floor(time[2] / 1000))
end

-- Writes down that what `key` describes is complete on this server. Not passed on to replicas: what this server holds says nothing of what they hold, and a master that
-- starts over from the data of a former replica of its own must not find there that it was to be believed.
local function believe(key, field, id)
  redis.set_repl(redis.REPL_NONE)
  redis.call('HSET', key, field, id)
  redis.set_repl(redis.REPL_ALL)
end
