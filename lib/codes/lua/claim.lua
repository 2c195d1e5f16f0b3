-- Takes codes before they are inserted into MySQL.
-- KEYS bloom, marker, next, next marker, freed, changes
-- ARGV codes freed at or before this time in ms may be taken again ('-inf': none), id of the server,
--      and then item, h1, h2 for each code
-- Reply number of the shard's last change or false, and then for each code 1 taken, 2 taken after another link, 0 may exist, -1
-- in
--       quarantine; nothing of codes when the filter cannot vouch
-- Atomic: of any number of clients that ask for one code, exactly one is told that it took it.
local m = marker(KEYS[2], KEYS[1])
local reply = { redis.call('GET', KEYS[6]) }
if not trusted(m, KEYS[2], ARGV[2]) then return reply end
local coming = marker(KEYS[4], KEYS[3])
for i = 3, #ARGV, 3 do
  local item, h1, h2 = ARGV[i], tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2])
  local answer = 0
  local freed = redis.call('ZSCORE', KEYS[5], item)
  if freed then
    answer = -1
    if ARGV[1] ~= '-inf' and tonumber(freed) <= tonumber(ARGV[1]) then
      redis.call('ZREM', KEYS[5], item)
      answer = 2
    end
  elseif not bloom_exists(KEYS[1], m, item, h1, h2) then
    answer = 1
  end
  if answer > 0 then
    bloom_add(KEYS[1], m, item, h1, h2)
    if coming then bloom_add(KEYS[3], coming, item, h1, h2) end
  end
  reply[#reply + 1] = answer
end
return reply
