import { connect, type Socket } from 'node:net'
import type { Load } from './loads'
import { visitors } from './visitors'

/** What came of requests that were sent at a steady rate, whatever came back when: as visitors do, and wrk does not. */
export interface Paced {
  sent: number
  answered: number
  seconds: number
  /** From when a request was due to its answer, in ms: one that had to wait to be sent has waited (no coordinated omission). */
  p50: number
  p99: number
  /** How late requests were sent, at p99, in ms: the load generator's own share. */
  late: number
}

export interface Pace {
  /** Requests a second. */
  rate: number
  seconds: number
  /** How long requests are sent before those that are measured, in seconds. */
  leadIn?: number
  /** Of every answer. */
  status?: number
  /** Requests of the load to leave out at first. */
  from?: number
}

const TICK = 1
const CONNECTIONS = 32
/** How long answers are waited for at the end, in ms. */
const PATIENCE = 5_000

/** Asks `origin` for what the load says, at a steady rate: what is due within a millisecond is sent together. */
export async function paced(origin: string, load: Load, pace: Pace): Promise<Paced> {
  const { rate, seconds, leadIn = 0, status = 302, from = 0 } = pace
  const { hostname, port, host } = new URL(origin)
  const times: number[] = []
  const delays: number[] = []
  let answered = 0
  let begun = 0
  const isMeasured = (due: number) => due >= begun + leadIn * 1000
  const onAnswer = (due: number) => {
    answered++
    if (isMeasured(due)) times.push(performance.now() - due)
  }
  const lines = Array.from({ length: CONNECTIONS }, () => new Line(Number(port), hostname, `HTTP/1.1 ${status}`, onAnswer))
  await Promise.all(lines.map((line) => line.opened))
  const rest = visitors.map((headers) => ` HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`)
  const total = Math.round(rate * (leadIn + seconds))
  let sent = 0
  begun = performance.now()
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const now = performance.now()
      for (; sent < total; sent++) {
        const due = begun + Math.ceil((sent / rate) * 1000)
        if (due > now) return
        if (isMeasured(due)) delays.push(now - due)
        lines[sent % CONNECTIONS]?.send(`GET ${load.path(from + sent)}${rest[sent % rest.length]}`, due)
      }
      clearInterval(timer)
      resolve()
    }, TICK)
  })
  const elapsed = (performance.now() - begun) / 1000
  for (const end = performance.now() + PATIENCE; answered < sent && performance.now() < end; )
    await new Promise((resolve) => setTimeout(resolve, 20))
  for (const line of lines) line.close()
  // What never came took longer than anything that did.
  while (times.length < delays.length) times.push(PATIENCE)
  const [sorted, late] = [Float64Array.from(times).sort(), Float64Array.from(delays).sort()]
  const at = (values: Float64Array, share: number) => values[Math.floor(values.length * share)] ?? Number.NaN
  return { sent, answered, seconds: elapsed, p50: at(sorted, 0.5), p99: at(sorted, 0.99), late: at(late, 0.99) }
}

/** A connection, whose answers come in the order of its requests. */
class Line {
  readonly opened: Promise<void>
  private readonly socket: Socket
  private due: number[] = []
  private first = 0
  private cut = ''

  constructor(
    port: number,
    host: string,
    private readonly statusLine: string,
    private readonly onAnswer: (due: number) => void,
  ) {
    this.socket = connect({ port, host, noDelay: true })
    this.opened = new Promise((resolve, reject) => {
      this.socket.once('connect', resolve).on('error', reject)
    })
    this.socket.setEncoding('latin1').on('data', (text: string) => this.read(text))
  }

  send(request: string, due: number): void {
    this.due.push(due)
    this.socket.write(request, 'latin1')
  }

  close(): void {
    this.socket.destroy()
  }

  /** A status line may be cut in two: its beginning is kept for what comes next. */
  private read(text: string): void {
    const { statusLine } = this
    const all = this.cut + text
    let end = 0
    for (let at = all.indexOf(statusLine); at !== -1; at = all.indexOf(statusLine, end)) {
      end = at + statusLine.length
      this.onAnswer(this.due[this.first++] ?? Number.NaN)
    }
    this.cut = all.slice(Math.max(end, all.length - statusLine.length + 1))
    if (this.first < 4_096) return
    this.due = this.due.slice(this.first)
    this.first = 0
  }
}
