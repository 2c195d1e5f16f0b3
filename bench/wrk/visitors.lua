-- For the scripts beside it: requests as browsers send them, from another visitor each time.
-- Argument: the file of bench/visitors.ts.
return function(file)
  local rest, at = {}, 0
  for line in io.lines(file) do
    rest[#rest + 1] = " HTTP/1.1\r\nHost: " .. wrk.headers["Host"] .. "\r\n" .. line:gsub("|", "\r\n") .. "\r\n"
  end
  return function(path)
    at = at % #rest + 1
    return "GET " .. path .. rest[at]
  end
end
