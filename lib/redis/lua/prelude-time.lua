-- The time of the server.

local function now_ms()
  local time = redis.call('TIME')
  return string.format('%d', time[1] * 1000 + math.floor(time[2] / 1000))
end

local function now_us()
  local time = redis.call('TIME')
  return string.format('%.0f', time[1] * 1000000 + time[2])
end
