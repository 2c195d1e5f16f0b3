-- The filter of a shard and its marker, behind lib/redis/lua/prelude-server.lua.
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

-- Whether a shard is believed. A replica may be behind, and a master may have become one without a word to its clients: it
-- refuses every write, even one that changes nothing, and so does a master that lost its replicas (min-replicas-to-write).
-- Asked once in a call.
local leads
local function trusted(m, key, known)
  if m == nil or not is_server(m.server, known) then return false end
  if leads == nil then leads = type(redis.pcall('PERSIST', key)) == 'number' end
  return leads
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
