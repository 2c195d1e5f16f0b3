-- For wrk: asks for codes that nobody has, a new one each time. They have eight characters where those of
-- links have seven, so that none can be a link's by chance.
-- Arguments: the file of visitors; a number from which the codes are drawn.
local ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
local pairs_of_characters, get = {}, nil
local random = math.random

function init(args)
  get = dofile("bench/wrk/visitors.lua")(args[1])
  math.randomseed(tonumber(args[2]))
  for i = 1, #ALPHABET do
    for j = 1, #ALPHABET do
      pairs_of_characters[#pairs_of_characters + 1] = ALPHABET:sub(i, i) .. ALPHABET:sub(j, j)
    end
  end
end

function request()
  local p, n = pairs_of_characters, #pairs_of_characters
  return get("/" .. p[random(n)] .. p[random(n)] .. p[random(n)] .. p[random(n)])
end
