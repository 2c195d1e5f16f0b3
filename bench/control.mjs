/** The control: the least that a redirect can cost in this runtime. Listens on the port it is given. */

import { createServer } from 'node:http'

const HEADERS = ['Location', 'https://example.com/', 'Content-Length', '0']

const server = createServer((_request, response) => {
  response.writeHead(302, HEADERS).end()
})
server.listen(Number(process.argv[2]), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
