-- For wrk: makes links through the API, to a new destination each time.
-- Argument: a word that sets the destinations of this run apart from those of others.
local run, count = "", 0
local headers = { ["Content-Type"] = "application/json" }

function init(args)
  run = args[1]
end

function request()
  count = count + 1
  local url = "https://example.com/created/" .. run .. "/article-" .. count .. "?utm_source=newsletter&utm_medium=email"
  return wrk.format("POST", "/api/v1/links", headers, '{"url":"' .. url .. '"}')
end
