-- Which server this is. Definitions only, and few, as in each prelude: they are made again for each call.

-- The id of the data that this server leads: the id that its process drew when it started, and that of its replication
-- history. A restart changes the first and a failover the second, in whichever direction, and with either goes the certainty
-- that the last writes are still there. nil on a replica, which only follows.
local function server_id()
  local info = redis.call('INFO', 'server', 'replication')
  if not string.find(info, 'role:master', 1, true) then return nil end
  -- Half of each, which are 40 hexadecimal digits, is enough to tell them apart.
  return string.sub(string.match(info, 'run_id:(%w+)'), 1, 20) .. string.sub(string.match(info, 'master_replid:(%w+)'), 1, 20)
end

-- Whether `id` is that of this server now. `known` is the id that the client last read, which saves asking here for each
-- request; '' when the client does not know it.
local function is_server(id, known)
  if known == '' then known = server_id() end
  return id and id == known
end
