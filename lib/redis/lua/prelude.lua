-- Put before every script of this folder (lib/redis/scripts.ts). Definitions only, and few: each is made again for each call.
--
-- A shard's filter is described by its marker, a hash:
--   impl    'native' (RedisBloom) or 'bitmap'
--   type    what TYPE says of the filter                            (native only)
--   bits    size of the bitmap        hashes  probes per item       (bitmap only)
--   begun   id of the server on which the filter was begun, and into which every code was put since
--   server  id of the server that is known to hold all that MySQL holds: then the shard is trusted. Written by trust.lua
--           and kept by swap.lua, and by nothing else
--   beat    server time in ms at which that was last true
-- Both filters are behind bloom_exists and bloom_add (prelude-add.lua); an item is its name and two 32-bit hashes of it.

-- The id of the data that this server leads: the id that its process drew when it started, and that of its replication
-- history. A restart changes the first and a failover the second, in whichever direction, and with either goes the certainty
-- that the last writes are still there. nil on a replica, which only follows.
local function server_id()
  local info = redis.call('INFO', 'server', 'replication')
  if not string.find(info, 'role:master', 1, true) then return nil end
  -- Half of each, which are 40 hexadecimal digits, is enough to tell them apart.
  return string.sub(string.match(info, 'run_id:(%w+)'), 1, 20) .. string.sub(string.match(info, 'master_replid:(%w+)'), 1, 20)
end

-- The marker of a filter, or nil when either is gone or is something else: an evicted filter must not be believed, nor begun
-- again by the next addition as one that knows almost nothing. BF.EXISTS denies everything of a key of another type.
local function marker(key, filter)
  local m = redis.pcall('HMGET', key, 'impl', 'bits', 'hashes', 'server')
  if not m[1] then return nil end
  local bits = tonumber(m[2])
  if m[1] == 'native' then
    if redis.call('TYPE', filter).ok ~= redis.call('HGET', key, 'type') then return nil end
  elseif not bits or redis.pcall('STRLEN', filter) ~= math.floor((bits + 7) / 8) then
    return nil
  end
  return { impl = m[1], bits = bits, hashes = tonumber(m[3]), server = m[4] }
end

-- Whether `id` is that of this server now. `known` is the id that the client last read, which saves asking here for each
-- request; '' when the client does not know it.
local function is_server(id, known)
  if known == '' then known = server_id() end
  return id and id == known
end

-- Whether a shard is believed. A replica may be behind, and a master may have become one without a word to its clients: it
-- refuses every write, even one that changes nothing, and so does a master that lost its replicas (min-replicas-to-write).
local function trusted(m, key, known)
  if m == nil or not is_server(m.server, known) then return false end
  return type(redis.pcall('PERSIST', key)) == 'number'
end

-- Double hashing (Kirsch and Mitzenmacher, 2006): probe i stands at h1 + i * h2. Doubles hold it exactly.
local function bloom_exists(key, m, item, h1, h2)
  if m.impl == 'native' then return redis.call('BF.EXISTS', key, item) == 1 end
  local call, bits = redis.call, m.bits
  for i = 0, m.hashes - 1 do
    if call('GETBIT', key, (h1 + i * h2) % bits) == 0 then return false end
  end
  return true
end
