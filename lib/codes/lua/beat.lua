-- Says that one shard still holds all that MySQL holds, or what is wrong with it.
-- KEYS bloom, marker
-- Reply {id of the server or '' on a replica, 'ok' | 'missing' | 'doubtful' | 'replica', last beat in ms or false,
--        1 when this server itself has put every code into the filter}
-- Atomic: a beat must not be written for a server other than the one that was checked.
local id = server_id()
if not id then return { '', 'replica', false, 0 } end
local m = marker(KEYS[2], KEYS[1])
if not m then return { id, 'missing', false, 0 } end
if m.server == id then
  local now = now_ms()
  redis.call('HSET', KEYS[2], 'beat', now)
  return { id, 'ok', now, 1 }
end
-- A client that has not noticed yet must not go on to believe it.
redis.call('HDEL', KEYS[2], 'server')
local about = redis.call('HMGET', KEYS[2], 'beat', 'begun')
return { id, 'doubtful', about[1], about[2] == id and 1 or 0 }
