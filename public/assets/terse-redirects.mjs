// Serves the links of a Terse export without Terse: node terse-redirects.mjs [terse-redirects.jsonl or .jsonl.gz]
// HOST and PORT say where it listens: 127.0.0.1:8080 if they are not set. Needs Node 18 or newer, and no package.
import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createGunzip } from 'node:zlib'

const file = process.argv[2] ?? fileURLToPath(new URL('terse-redirects.jsonl', import.meta.url))
const bytes = createReadStream(file).on('error', stop)
const input = file.endsWith('.gz') ? bytes.pipe(createGunzip()).on('error', stop) : bytes
const links = new Map() // 'host/code' -> [url, status, start, end, url after the end]; times in ms since 1970
const hosts = new Set()
let [base, folded, isWhole] = ['', new Set(), false]
for await (const line of createInterface({ input })) {
  const read = JSON.parse(line)
  if (Array.isArray(read)) links.set(`${read[0]}/${read[1]}`, read.slice(2)).size && hosts.add(read[0])
  else if (read.base === undefined)
    isWhole = true // The last line.
  else [base, folded] = [read.base, new Set(read.folded)]
}
if (!isWhole) stop(`${file} is cut off: its last line is missing`)

function answer({ method, url, headers }) {
  if (method !== 'GET' && method !== 'HEAD') return [405]
  const asked = (headers.host ?? '').toLowerCase().replace(/:\d+$|\.+(:\d+)?$/, '')
  const host = hosts.has(asked) ? asked : base
  const code = codeIn(url.split('?', 1)[0].slice(1))
  if (code === null) return [400]
  const [to, status, start, end, after] = links.get(`${host}/${folded.has(host) ? fold(code) : code}`) ?? []
  if (!to || (start && Date.now() < start)) return [404]
  if (end && Date.now() >= end) return after ? [302, after] : [410]
  return [status, to]
}

function codeIn(path) {
  try {
    return decodeURIComponent(Buffer.from(path.replace(/\/$/, ''), 'latin1').toString()).normalize('NFC')
  } catch {
    return null // It cannot be decoded.
  }
}

// Capitals as small letters; none becomes two.
const fold = (code) => [...code].reduce((all, one) => all + (one === 'ı' ? one : small(one)), '').normalize('NFC')
const small = (one) => [one.toUpperCase().toLowerCase(), one.toLowerCase()].find((it) => [...it].length === 1) ?? one

function stop(why) {
  console.error(why)
  process.exit(1)
}

const server = createServer((request, response) => {
  const [status, to] = answer(request)
  const cache = status === 301 || status === 308 ? 'private, max-age=90' : 'private, no-store'
  const more = { ...(to && { Location: to, 'X-Robots-Tag': 'noindex' }), ...(status === 405 && { Allow: 'GET, HEAD' }) }
  response.writeHead(status, { 'Content-Length': 0, 'Cache-Control': cache, ...more }).end()
})
server.listen(process.env.PORT ?? 8080, process.env.HOST ?? '127.0.0.1', () => console.log(links.size, server.address()))
