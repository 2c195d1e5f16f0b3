-- For wrk: asks for codes that nobody has, a new one each time. They have eight characters where those of
-- links have seven, so that none can be a link's by chance.
-- Argument: a number from which the codes are drawn.
local ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
local pairs_of_characters, before, after = {}, "", ""
local random = math.random

function init(args)
  math.randomseed(tonumber(args[1]))
  for i = 1, #ALPHABET do
    for j = 1, #ALPHABET do
      pairs_of_characters[#pairs_of_characters + 1] = ALPHABET:sub(i, i) .. ALPHABET:sub(j, j)
    end
  end
  before, after = wrk.format("GET", "/CODE"):match("^(.*)CODE(.*)$")
end

function request()
  local p, n = pairs_of_characters, #pairs_of_characters
  return before .. p[random(n)] .. p[random(n)] .. p[random(n)] .. p[random(n)] .. after
end
