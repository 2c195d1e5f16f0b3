import { readdirSync, readFileSync } from 'node:fs'

/** What the app calls the thread that counts clicks (lib/clicks/thread.ts). */
const COUNTING = 'counting'
/** Of Linux, to programs: a hundred ticks a second, in µs each. */
const TICK = 10_000

/** Processor time by who used it, user and system together, in µs. */
export interface Processor {
  /** The thread that answers redirects: the first of its process. */
  redirecting: number
  counting: number
  /** Of the same process: garbage collection, compilation, files. */
  others: number
  redis: number
  database: number
}

export const PARTS = ['redirecting', 'counting', 'others', 'redis', 'database'] as const

export const allOf = (time: Processor) => PARTS.reduce((total, part) => total + time[part], 0)

/** Part by part. */
export function combine(a: Processor, b: Processor, of: (a: number, b: number) => number): Processor {
  return Object.fromEntries(PARTS.map((part) => [part, of(a[part], b[part])])) as unknown as Processor
}

export const since = (before: Processor, after: Processor) => combine(before, after, (a, b) => b - a)
export const NONE: Processor = { redirecting: 0, counting: 0, others: 0, redis: 0, database: 0 }

/** The servers beside the app. */
export interface Backing {
  redis: number
  database: number
}

/** What a process, its threads and the servers behind it have used since they started. */
export function processorTime(pid: number, backing: Backing): Processor {
  const whole = ticks(`/proc/${pid}/stat`).time
  const threads = readdirSync(`/proc/${pid}/task`).map((tid) => ticks(`/proc/${pid}/task/${tid}/stat`, tid))
  const timeOf = (is: (thread: Ticks) => boolean) => threads.filter(is).reduce((total, { time }) => total + time, 0)
  const redirecting = timeOf(({ id }) => id === String(pid))
  const counting = timeOf(({ name }) => name === COUNTING)
  return {
    redirecting,
    counting,
    others: whole - redirecting - counting,
    redis: ticks(`/proc/${backing.redis}/stat`).time,
    database: ticks(`/proc/${backing.database}/stat`).time,
  }
}

interface Ticks {
  id: string
  name: string
  /** In µs. */
  time: number
}

/** See proc_pid_stat(5): the name stands in parentheses and may hold any character; utime and stime are the 12th and 13th field after it. */
function ticks(path: string, id = ''): Ticks {
  const text = readFileSync(path, 'latin1')
  const end = text.lastIndexOf(')')
  const fields = text.slice(end + 2).split(' ')
  return { id, name: text.slice(text.indexOf('(') + 1, end), time: (Number(fields[11]) + Number(fields[12])) * TICK }
}
