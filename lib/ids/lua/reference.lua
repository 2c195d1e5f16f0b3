-- Reads the next number of a day's shuffled pool, which lies in lists of 1,000.
-- KEYS about, a list of the pool, the list after it   ARGV digits of the pool, number of the first of these lists, id of the
-- server Reply {'given', id of the pool, number, how many were given before}; {'elsewhere', id, digits, how many were given} when
--       the next one lies in another list;
--       {'over', id, digits} when all are given; {'none', id or ''} when there is no pool that is known to be right
-- Atomic: counter, wrap to the next list and read are one step.
local m = redis.call('HMGET', KEYS[1], 'pool', 'count', 'size', 'digits', 'run')
if not is_server(m[5], ARGV[3]) then return { 'none', m[1] or '' } end
local pool, count, digits = m[1], tonumber(m[2]), tonumber(m[4])
if count >= tonumber(m[3]) then return { 'over', pool, digits } end
local list = math.floor(count / 1000)
local ahead = list - tonumber(ARGV[2])
if digits ~= tonumber(ARGV[1]) or ahead < 0 or ahead > 1 then return { 'elsewhere', pool, digits, count } end
local number = redis.call('LINDEX', KEYS[2 + ahead], count % 1000)
if not number then return { 'none', pool } end -- evicted, or removed by hand
redis.call('HSET', KEYS[1], 'count', count + 1, 'last', number)
return { 'given', pool, number, count }
