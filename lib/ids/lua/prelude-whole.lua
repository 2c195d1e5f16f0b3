-- For scripts that give ids, behind lib/redis/lua/prelude-server.lua.

-- Whether what a hash of lib/ids describes is complete on this server. A flush took the hash with it, and an old copy
-- that was restored, or a replica's data, names another.
local function whole(about, known)
  return is_server(redis.call('HGET', about, 'run'), known)
end
