import { connect, type Socket } from 'node:net'
import { constants, getPriority, setPriority } from 'node:os'
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

/**
 * Asks `origin` for what the load says, at a steady rate: what is due within a millisecond is sent together. Where it may, it goes
 * before all else on this machine, as visitors do, who have machines of their own: else it is late wherever the cores are short.
 */
export async function paced(origin: string, load: Load, pace: Pace): Promise<Paced> {
  const { rate, seconds, leadIn = 0, status = 302, from = 0 } = pace
  const { hostname, port, host } = new URL(origin)
  const total = Math.round(rate * (leadIn + seconds))
  // Of every request, in the order of sending: nothing grows while it is measured.
  const times = new Float64Array(total).fill(Number.NaN)
  const delays = new Float64Array(total)
  let begun = 0
  let answered = 0
  const dueAt = (i: number) => begun + Math.ceil((i / rate) * 1000)
  const onAnswers = (line: Line, count: number) => {
    const now = performance.now()
    for (let i = 0; i < count; i++, line.next += CONNECTIONS) times[line.next] = now - dueAt(line.next)
    answered += count
  }
  const lines = Array.from(
    { length: CONNECTIONS },
    (_, i) => new Line(i, Number(port), hostname, `HTTP/1.1 ${status}`, onAnswers),
  )
  await Promise.all(lines.map((line) => line.opened))
  const rest = visitors.map((headers) => ` HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`)
  let sent = 0
  const priority = getPriority()
  prioritize(constants.priority.PRIORITY_HIGHEST)
  begun = performance.now()
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const now = performance.now()
      for (; sent < total; sent++) {
        const due = dueAt(sent)
        if (due > now) return
        delays[sent] = now - due
        lines[sent % CONNECTIONS]?.send(`GET ${load.path(from + sent)}${rest[sent % rest.length]}`)
      }
      clearInterval(timer)
      resolve()
    }, TICK)
  })
  const elapsed = (performance.now() - begun) / 1000
  for (const end = performance.now() + PATIENCE; answered < sent && performance.now() < end; )
    await new Promise((resolve) => setTimeout(resolve, 20))
  for (const line of lines) line.close()
  prioritize(priority)
  const first = Math.ceil(rate * leadIn)
  const at = (values: Float64Array, share: number) => values[Math.floor(values.length * share)] ?? Number.NaN
  // What never came took longer than anything that did.
  const sorted = times
    .subarray(first)
    .map((time) => (Number.isNaN(time) ? Number.POSITIVE_INFINITY : time))
    .sort()
  const late = delays.subarray(first).sort()
  return { sent, answered, seconds: elapsed, p50: at(sorted, 0.5), p99: at(sorted, 0.99), late: at(late, 0.99) }
}

/** Of this thread, and of what it starts. */
function prioritize(priority: number): void {
  try {
    setPriority(priority)
  } catch {
    // Only the administrator may; `late` tells what it cost.
  }
}

/** What one read may bring. */
const READ = 64 * 1024

/** A connection, whose answers come in the order of its requests. */
class Line {
  readonly opened: Promise<void>
  private readonly socket: Socket
  private cut = ''

  /** @param next the request whose answer comes next */
  constructor(
    public next: number,
    port: number,
    host: string,
    private readonly statusLine: string,
    private readonly onAnswers: (line: Line, count: number) => void,
  ) {
    const callback = (length: number, bytes: Uint8Array) => {
      this.read((bytes as Buffer).toString('latin1', 0, length))
      return true
    }
    // Into one buffer, past the stream: nothing is allocated for a read.
    this.socket = connect({ port, host, noDelay: true, onread: { buffer: Buffer.alloc(READ), callback } })
    this.opened = new Promise((resolve, reject) => {
      this.socket.once('connect', resolve).on('error', reject)
    })
  }

  send(request: string): void {
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
    let count = 0
    for (let at = all.indexOf(statusLine); at !== -1; at = all.indexOf(statusLine, end)) {
      end = at + statusLine.length
      count += 1
    }
    this.cut = all.slice(Math.max(end, all.length - statusLine.length + 1))
    if (count > 0) this.onAnswers(this, count)
  }
}
