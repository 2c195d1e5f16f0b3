-- Put before every script of this folder (lib/redis/scripts.ts). Definitions only.
--
-- A shard's filter is described by its marker, a hash:
--   impl    'native' (RedisBloom) or 'bitmap'
--   bits    size of the bitmap        hashes  probes per item       (bitmap only)
--   run     run id of the server that was known to hold every code
--   beat    server time in ms at which that was last true
-- Both filters are behind bloom_exists and bloom_add; an item is its name and two 32-bit hashes of it.

-- The id that this server process drew when it started. A restart or failover changes it, and with it
-- goes the certainty that the last writes are still there.
local function run_id()
  local info = redis.call('INFO', 'server')
  local _, stop = string.find(info, 'run_id:', 1, true)
  return stop and string.match(info, '^%w+', stop + 1)
end

-- The marker of a filter, or nil when either is gone: an evicted filter must not be believed, nor begun
-- again by the next addition as one that knows almost nothing.
local function marker(key, filter)
  local m = redis.call('HMGET', key, 'impl', 'bits', 'hashes', 'run')
  if not m[1] or redis.call('EXISTS', filter) == 0 then return nil end
  return { impl = m[1], bits = tonumber(m[2]), hashes = tonumber(m[3]), run = m[4] }
end

-- Whether `id` is that of the present run. `run` is the run id that the client read when it connected, which saves asking
-- here for each request: a restart or failover ends its connection. '' when the client does not know it.
local function is_run(id, run)
  return id == (run ~= '' and run or run_id())
end

local function trusted(m, run)
  return m ~= nil and is_run(m.run, run)
end

-- Double hashing (Kirsch and Mitzenmacher, 2006): probe i stands at h1 + i * h2. Doubles hold it exactly.
local function bloom_exists(key, m, item, h1, h2)
  if m.impl == 'native' then return redis.call('BF.EXISTS', key, item) == 1 end
  for i = 0, m.hashes - 1 do
    if redis.call('GETBIT', key, (h1 + i * h2) % m.bits) == 0 then return false end
  end
  return true
end

local function bloom_add(key, m, item, h1, h2)
  if m.impl == 'native' then
    redis.call('BF.ADD', key, item)
    return
  end
  for i = 0, m.hashes - 1 do
    redis.call('SETBIT', key, (h1 + i * h2) % m.bits, 1)
  end
end

-- Whether what a hash of lib/ids describes is complete in this run of the server. A flush took the hash with it, and
-- an old copy that was restored names the run in which it was made.
local function whole(about, run)
  return is_run(redis.call('HGET', about, 'run'), run)
end
