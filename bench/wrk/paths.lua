-- For wrk: asks for many paths.
-- Arguments: a file of paths, one a line; a file of picks (line numbers of the first, one a line), or "-"
-- to take the paths in their order; the place in that sequence to begin after.
local paths, picks, requests = {}, nil, {}
local at, length

function init(args)
  for path in io.lines(args[1]) do paths[#paths + 1] = path end
  if args[2] ~= "-" then
    picks = {}
    for pick in io.lines(args[2]) do picks[#picks + 1] = tonumber(pick) end
  end
  length = picks and #picks or #paths
  at = tonumber(args[3])
end

function request()
  at = at % length + 1
  local index = picks and picks[at] or at
  local made = requests[index]
  if not made then
    made = wrk.format("GET", paths[index])
    -- What is asked for once only need not be kept.
    if picks then requests[index] = made end
  end
  return made
end
