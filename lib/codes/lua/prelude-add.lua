-- For scripts that add codes to a filter, behind prelude-filter.lua.

local function bloom_add(key, m, item, h1, h2)
  if m.impl == 'native' then
    redis.call('BF.ADD', key, item)
    return
  end
  for i = 0, m.hashes - 1 do
    redis.call('SETBIT', key, (h1 + i * h2) % m.bits, 1)
  end
end
