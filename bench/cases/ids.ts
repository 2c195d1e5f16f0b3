import { readConfig } from '@/lib/config'
import { DatabaseGateway } from '@/lib/db/gateway'
import { SEGMENT_KEYS, SEGMENT_SIZE } from '@/lib/ids/handles'
import { createIds, type Ids } from '@/lib/ids/ids'
import { type RedisClient, RedisGateway } from '@/lib/redis/gateway'
import { median } from '../measure'
import type { Row } from '../report'
import type { World } from '../world'

/** Numbers that are asked for before the first is answered, on one connection: so many that both ends always have work. */
const MANY = 400
/** Numbers asked for in a second where it is measured how long each takes: the goal. */
const PACE = 5_000
/** Numbers in a round: fewer than a day's first pool of references has. */
const COUNT = 60_000
/** Numbers left in a segment that is 99.9 % full, and how many of them are taken in a round. */
const LEFT = SEGMENT_SIZE / 1_000
const TAKEN = LEFT / 2
const GOAL = 40_000
const DAY = 86_400_000

interface Round {
  /** Numbers a second. */
  rate: number
  /** From the question to the answer, in ms. */
  p50: number
  p99: number
}

/** Waits longer than the app would: a machine that is busy must show as slow, not as one whose numbers come from elsewhere. */
class PatientGateway extends RedisGateway {
  override use<T>(work: (client: RedisClient) => Promise<T>): Promise<T> {
    return super.use(work, 10_000)
  }
}

/** What the four id systems give in a second, through the code that the app uses, and what a full segment takes. */
export async function ids(world: World): Promise<Row[]> {
  const { settings } = await world.small()
  const config = readConfig({ ...process.env, LOG_LEVEL: 'error', ...settings })
  const redis = new PatientGateway(config.REDIS_URL)
  const db = new DatabaseGateway(config.DATABASE_URL, 2)
  try {
    await redis.connected(5_000)
    return await measureAll(world, createIds(config, redis, db), redis)
  } finally {
    redis.close()
    await db.close()
  }
}

async function measureAll({ plan }: World, systems: Ids, redis: RedisGateway): Promise<Row[]> {
  const { handles, spoken, references, jobs } = systems
  await Promise.all([handles.resync(), spoken.resync(), jobs.resync()])
  let day = Date.now()
  const nextDay = async () => {
    day += DAY
    await references.issue(new Date(day)) // its pool is made now
  }
  const rounds = plan.rounds
  const rows = [
    rateRow('handles, one connection pipelined', await measure(rounds, { issue: () => handles.issue() })),
    await fullRow(rounds, () => handles.issue(), redis),
    rateRow('spoken numbers', await measure(rounds, { issue: () => spoken.issue(6, Date.now() + 60_000) })),
    rateRow('references of reports', await measure(rounds, { issue: () => references.issue(new Date(day)), prepare: nextDay })),
    rateRow('job numbers', await measure(rounds, { issue: () => jobs.issue() })),
    await memoryRow(redis),
  ]
  const stale = await Promise.all([handles, spoken, references, jobs].map((system) => system.isStale()))
  // Numbers that were drawn without Redis were not measured.
  if (stale.includes(true)) throw new Error('some numbers were given without Redis')
  return rows
}

interface Measurement {
  issue: () => Promise<unknown>
  /** Before each round. */
  prepare?: () => Promise<unknown>
  count?: number
  /** Asks for numbers, and tells how long each took. */
  load?: (issue: () => Promise<unknown>, count: number) => Promise<number[]>
}

/** Asks for `count` numbers, round after round; the first round is the warm-up. */
async function measure(rounds: number, { issue, prepare, count = COUNT, load = atOnce }: Measurement): Promise<Round[]> {
  const measured: Round[] = []
  for (let round = 0; round <= rounds; round++) {
    await prepare?.()
    const begun = performance.now()
    const times = await load(issue, count)
    const seconds = (performance.now() - begun) / 1000
    times.sort((a, b) => a - b)
    const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN
    measured.push({ rate: times.length / seconds, p50: at(0.5), p99: at(0.99) })
  }
  return measured.slice(1)
}

/** `MANY` at any time, each next one as soon as another is answered: as many in a second as there can be. */
async function atOnce(issue: () => Promise<unknown>, count: number): Promise<number[]> {
  const times: number[] = []
  const issueSome = async () => {
    for (let i = 0; i < count / MANY; i++) {
      const asked = performance.now()
      await issue()
      times.push(performance.now() - asked)
    }
  }
  await Promise.all(Array.from({ length: MANY }, issueSome))
  return times
}

/** `PACE` a second, whatever comes back when; the time of each begins when it was due. */
async function atPace(issue: () => Promise<unknown>, count: number): Promise<number[]> {
  const begun = performance.now()
  const dueAt = (number: number) => begun + (number * 1000) / PACE
  const under: Promise<number>[] = []
  while (under.length < count) {
    while (under.length < count && dueAt(under.length) <= performance.now()) {
      const due = dueAt(under.length)
      under.push(issue().then(() => performance.now() - due))
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
  return Promise.all(under)
}

const perSecond = (rate: number) => `${Math.round(rate).toLocaleString('en-US')}/s`

function summary(rounds: Round[]): Round {
  const of = (pick: (round: Round) => number) => median(rounds.map(pick))
  return { rate: of(({ rate }) => rate), p50: of(({ p50 }) => p50), p99: of(({ p99 }) => p99) }
}

function rateRow(title: string, rounds: Round[]): Row {
  const { rate, p50, p99 } = summary(rounds)
  const goal = `≥ ${GOAL.toLocaleString('en-US')}/s`
  return { title, goal, result: perSecond(rate), met: rate >= GOAL, rate, p50, p99, note: `${MANY} in flight`, raw: rounds }
}

/** Handles when one in a thousand of a segment is free, and then fewer as they are taken. */
async function fullRow(rounds: number, issue: () => Promise<unknown>, redis: RedisGateway): Promise<Row> {
  const fill = { issue, prepare: () => fillFirstSegment(redis, LEFT), count: TAKEN }
  const most = await measure(rounds, fill)
  const paced = await measure(rounds, { ...fill, load: atPace })
  const { rate } = summary(most)
  const { p50, p99 } = summary(paced)
  return {
    title: 'handles, the segment 99.9 % full',
    goal: '≥ 5,000/s, p99 < 2 ms',
    result: `${perSecond(rate)}, p99 ${p99.toFixed(2)} ms`,
    met: rate >= PACE && p99 < 2,
    rate,
    p50,
    p99,
    note: `${MANY} in flight for the rate, ${PACE.toLocaleString('en-US')}/s for p50 and p99; to ${(100 - (100 * (LEFT - TAKEN)) / SEGMENT_SIZE).toFixed(2)} %`,
    raw: { most, paced },
  }
}

/** Makes the first segment full but for so many numbers at random places. */
async function fillFirstSegment(redis: RedisGateway, left: number): Promise<void> {
  const bitmap = Buffer.alloc(SEGMENT_SIZE / 8, 0xff)
  const free = new Set<number>()
  while (free.size < left) free.add(Math.floor(Math.random() * SEGMENT_SIZE))
  for (const position of free) bitmap[position >> 3] = (bitmap[position >> 3] ?? 0) & ~(0x80 >> (position & 7))
  await redis.use((client) => client.set(SEGMENT_KEYS[0] ?? '', bitmap))
}

async function memoryRow(redis: RedisGateway): Promise<Row> {
  await fillFirstSegment(redis, 0)
  const bytes = Number(await redis.use((client) => client.memory('USAGE', SEGMENT_KEYS[0] ?? '')))
  return {
    title: 'a full segment of handles in Redis',
    goal: '≤ 1.3 MB',
    result: `${(bytes / 2 ** 20).toFixed(2)} MB`,
    met: bytes <= 1.3 * 2 ** 20,
    note: `${bytes.toLocaleString('en-US')} bytes; MB of 2^20`,
    raw: { bytes },
  }
}
