-- For wrk: asks for the paths of a file in their order, from the start again after the last.
-- Arguments: the file of visitors; the file of paths, one a line; how many paths to leave out at first.
local paths, at, get = {}, 0, nil

function init(args)
  get = dofile("bench/wrk/visitors.lua")(args[1])
  for path in io.lines(args[2]) do paths[#paths + 1] = path end
  at = tonumber(args[3])
end

function request()
  at = at % #paths + 1
  return get(paths[at])
end
