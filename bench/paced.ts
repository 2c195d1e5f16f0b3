import { connect, type Socket } from 'node:net'

/** Sends requests at a steady rate, whatever comes back when: as visitors do, and wrk does not. */
export interface Paced {
  sent: number
  answered: number
  seconds: number
}

const TICK = 2
const CONNECTIONS = 32

/**
 * Asks for `path` `rate` times a second for `seconds`.
 * @param headers lines that end with CRLF
 */
export async function paced(origin: string, path: string, headers: string, rate: number, seconds: number): Promise<Paced> {
  const { hostname, port, host } = new URL(origin)
  const request = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`
  let answered = 0
  const sockets = await Promise.all(
    Array.from({ length: CONNECTIONS }, () =>
      open(Number(port), hostname, (count) => {
        answered += count
      }),
    ),
  )
  let sent = 0
  const begun = performance.now()
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const elapsed = (performance.now() - begun) / 1000
      for (const due = Math.min(elapsed, seconds) * rate; sent < due; sent++) sockets[sent % CONNECTIONS]?.write(request)
      if (elapsed < seconds) return
      clearInterval(timer)
      resolve()
    }, TICK)
  })
  const elapsed = (performance.now() - begun) / 1000
  for (let patience = 0; answered < sent && patience < 100; patience++) await new Promise((resolve) => setTimeout(resolve, 50))
  for (const socket of sockets) socket.destroy()
  return { sent, answered, seconds: elapsed }
}

const STATUS_LINE = 'HTTP/1.1 302'

/** @param onAnswers told how many redirects came */
function open(port: number, host: string, onAnswers: (count: number) => void): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host, noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
    let rest = ''
    socket.setEncoding('latin1').on('data', (text: string) => {
      const all = rest + text
      onAnswers(all.split(STATUS_LINE).length - 1)
      // A status line may be cut in two, and must not be counted twice.
      const tail = all.slice(-STATUS_LINE.length + 1)
      rest = STATUS_LINE.startsWith(tail.slice(tail.lastIndexOf('H'))) ? tail.slice(tail.lastIndexOf('H')) : ''
    })
  })
}
