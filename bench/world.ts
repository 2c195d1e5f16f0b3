import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { type Connection, createConnection } from 'mariadb'
import { ALL_PARTITIONS, partitionKeys } from '@/lib/clicks/stream'
import { parseDatabaseUrl } from '@/lib/tools/database-url'
import type { ServerProcess } from './processes'
import type { Backing } from './processor'
import { seed, seededPath } from './seed'

/** How long and how often is measured. Times in seconds. */
export interface Plan {
  quick: boolean
  /** Links in the large database and in the small one. */
  links: number
  fewLinks: number
  /** Of each run that is measured, and how many there are. */
  seconds: number
  rounds: number
  /** Of a run of the control, before and after each. */
  control: number
  /** A server warms up until two of these are alike. */
  window: number
  /** Before each run. */
  leadIn: number
  /** At a steady pace. */
  paceSeconds: number
  /** Where the app leaves processor profiles, if it is to. */
  profiles: string | null
}

/** A database and a Redis of its own, filled with links. */
export interface Stock {
  /** DATABASE_URL and REDIS_URL for the app. */
  settings: Record<string, string>
  /** How many links it has, and the path of the i-th most popular, which has nothing to do with when it was created. */
  count: number
  path(i: number): string
}

/** What the cases share. */
export interface World {
  dir: string
  plan: Plan
  control: ServerProcess
  backing: Backing
  /** The database of `plan.links` links, filled when first asked for. */
  large(): Promise<Stock>
  /** The one of `plan.fewLinks`. */
  small(): Promise<Stock>
  /** Removes the clicks that wait in Redis. */
  emptyStreams(): Promise<void>
  /** Removes all that a case left to be counted, once its apps have stopped: it would be counted in the next. */
  tidy(): Promise<void>
  close(): Promise<void>
}

const DATABASES = {
  large: 'terse_bench_large',
  small: 'terse_bench_small',
  lists: 'terse_bench_lists',
  huge: 'terse_bench_huge',
} as const
/** Numbers of their databases in Redis. */
const REDIS_DATABASES = { large: 0, small: 1, lists: 2, huge: 3 } as const

export function createWorld(dir: string, plan: Plan, control: ServerProcess, backing: Backing): World {
  const stocks = new Map<string, Promise<Stock>>()
  const once = (name: 'large' | 'small', links: number) => {
    const stock = stocks.get(name) ?? makeStock(name, links)
    stocks.set(name, stock)
    // The next case that needs it tries again.
    stock.catch(() => stocks.delete(name))
    return stock
  }
  const emptyStreams = async () => {
    for (const stock of stocks.values()) await stock.then(forgetClicks, () => {})
  }
  return {
    dir,
    plan,
    control,
    backing,
    large: () => once('large', plan.links),
    small: () => once('small', plan.fewLinks),
    emptyStreams,
    async tidy() {
      await emptyStreams()
      if (process.env.DATA_DIR) rmSync(join(process.env.DATA_DIR, 'spool'), { recursive: true, force: true })
    },
    async close() {
      const server = await connect()
      for (const name of Object.values(DATABASES)) await server.query(`DROP DATABASE IF EXISTS ${name}`)
      await server.end()
    },
  }
}

/** A database and a Redis with nothing in them: settings for the app. */
export async function emptyDatabase(name: keyof typeof DATABASES): Promise<Stock['settings']> {
  const database = DATABASES[name]
  const server = await connect()
  await server.query(`DROP DATABASE IF EXISTS ${database}`)
  await server.query(`CREATE DATABASE ${database} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`)
  await server.end()
  const settings = {
    DATABASE_URL: onServer('DATABASE_URL', database),
    REDIS_URL: onServer('REDIS_URL', String(REDIS_DATABASES[name])),
  }
  await withRedis(settings, (redis) => redis.flushdb())
  return settings
}

/** A database of `count` links. */
export async function makeStock(name: keyof typeof DATABASES, count: number): Promise<Stock> {
  const settings = await emptyDatabase(name)
  const server = await connect()
  await seed(server, settings, count).finally(() => server.end())
  await withRedis(settings, quiet)
  return { settings, count, path: (i) => seededPath(i % count, count) }
}

/** The address of one of the two servers with another database in its path. */
export function onServer(variable: 'DATABASE_URL' | 'REDIS_URL', database: string): string {
  const address = process.env[variable]
  if (!address) throw new Error(`${variable} is not set; run \`npm run bench\``)
  const url = new URL(address)
  url.pathname = `/${database}`
  return url.href
}

/** A connection of the benchmark's own. */
export function connect(): Promise<Connection> {
  const { database: _none, ...address } = parseDatabaseUrl(onServer('DATABASE_URL', ''))
  return createConnection({ ...address, allowPublicKeyRetrieval: true })
}

export async function withRedis<T>(settings: Record<string, string>, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(settings.REDIS_URL ?? '')
  try {
    return await work(redis)
  } finally {
    redis.disconnect()
  }
}

/** Waits until Redis no longer rewrites its file in the background: that takes a core. */
async function quiet(redis: Redis): Promise<void> {
  for (let i = 0; i < 120; i++) {
    const info = await redis.info('persistence')
    if (!/aof_rewrite_in_progress:1|rdb_bgsave_in_progress:1|aof_rewrite_scheduled:1/.test(info)) return
    await delay(500)
  }
}

/** Removes every link's record from Redis; filter and markers stay, so that the filter is still believed. */
export function forgetRecords({ settings }: Stock): Promise<number> {
  return withRedis(settings, async (redis) => {
    let removed = 0
    for (let cursor = '0'; ; ) {
      const [next, keys] = await redis.scan(cursor, 'MATCH', '{codes:*}:link:*', 'COUNT', 5_000)
      if (keys.length > 0) {
        // Key by key, as MySQL's absence of a record is what is wanted and not one command across slots.
        const pipeline = redis.pipeline()
        for (const key of keys) pipeline.unlink(key)
        await pipeline.exec()
      }
      removed += keys.length
      cursor = next
      if (cursor === '0') break
    }
    await quiet(redis)
    return removed
  })
}

/** Removes the clicks that wait to be counted. */
export function forgetClicks({ settings }: Pick<Stock, 'settings'>): Promise<void> {
  return withRedis(settings, async (redis) => {
    for (const partition of ALL_PARTITIONS) await redis.unlink(partitionKeys(partition).stream)
    await quiet(redis)
  })
}

/** Counts of MySQL's own: statements of clients, and the SELECTs among them. */
export interface Queries {
  questions: number
  selects: number
}

export async function countQueries(connection: Connection): Promise<Queries> {
  const rows: { Variable_name: string; Value: string }[] = await connection.query(
    "SHOW GLOBAL STATUS WHERE Variable_name IN ('Questions', 'Com_select')",
  )
  const value = (name: string) => Number(rows.find((row) => row.Variable_name === name)?.Value ?? Number.NaN)
  return { questions: value('Questions'), selects: value('Com_select') }
}
