import type { Connection } from 'mariadb'
import { readFilter } from '@/lib/codes/fill'
import { filterSettings } from '@/lib/codes/rebuild'
import { readConfig } from '@/lib/config'
import { DatabaseGateway } from '@/lib/db/gateway'
import { migrate } from '@/lib/db/migrate'
import { buildRedirects } from '@/lib/redirect-runtime'
import { WITH_ADMIN } from '../admin'
import { startApp } from '../processes'
import { fillFilter } from '../seed'
import { connect, onServer, type Stock } from '../world'
import { codeOf, fillAccounts, fillLabels, fillLinks, fillRollups, progress, type Shape, type Stage, shapeOf } from './fill'

const STAGES = 'terse_bench_stages'
/** A prime: the r-th most popular link is not the r-th that was created. */
const STEP = 7_368_787

/** A stock that is kept, and what it is made of. */
export interface KeptStock extends Stock {
  shape: Shape
  database: string
}

/**
 * The stock of `count` links in a database of its own, made where it is missing, and gone on with where it was broken off.
 * @param place a number that no other stock has: its database in Redis
 * @param clicked with rollups, accounts and an admin; else with links alone
 */
export async function keptStock(dir: string, count: number, place: number, clicked: boolean): Promise<KeptStock> {
  const database = `terse_bench_kept_${count}`
  const settings = {
    ...WITH_ADMIN,
    DATABASE_URL: onServer('DATABASE_URL', database),
    REDIS_URL: onServer('REDIS_URL', String(place)),
    LOG_LEVEL: 'error',
  }
  const server = await connect()
  try {
    await server.query(`CREATE DATABASE IF NOT EXISTS ${STAGES} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`)
    await server.query(
      `CREATE TABLE IF NOT EXISTS ${STAGES}.Stage (stock VARCHAR(64), name VARCHAR(32), value TEXT, PRIMARY KEY (stock, name))`,
    )
    await server.query(`CREATE DATABASE IF NOT EXISTS ${database} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`)
    await server.query(`USE ${database}`)
    const stage = stagesOf(server, database)
    const shape = await stage.value('shape', () => shapeOf(count, Date.now()))
    await migrate(settings.DATABASE_URL)
    const adminId = await theAdmin(dir, server, settings)
    if (clicked) await fillAccounts(server)
    await fillLinks(server, stage, shape, new URL(WITH_ADMIN.BASE_URL).host, adminId)
    if (clicked) {
      await fillRollups(server, stage, shape)
      await fillLabels(server, stage, shape, adminId)
    }
    await ensureFilter(settings, count)
    return { settings, count, shape, database, path: (i) => `/${codeOf((i * STEP) % count)}` }
  } finally {
    await server.end()
  }
}

function stagesOf(server: Connection, stock: string): Stage {
  const read = async (name: string) => {
    const rows: { value: string }[] = await server.query(`SELECT value FROM ${STAGES}.Stage WHERE stock = ? AND name = ?`, [
      stock,
      name,
    ])
    return rows[0]?.value
  }
  const write = (name: string, value: string) =>
    server.query(`REPLACE INTO ${STAGES}.Stage VALUES (?, ?, ?)`, [stock, name, value])
  return {
    done: async (name) => (await read(name)) !== undefined,
    finish: async (name) => {
      await write(name, 'done')
      console.log(`  ${new Date().toISOString().slice(11, 19)} ${stock}: ${name} done`)
    },
    value: async (name, of) => {
      const held = await read(name)
      if (held !== undefined) return JSON.parse(held)
      const value = await of()
      await write(name, JSON.stringify(value))
      return value
    },
  }
}

/** The id of the admin that an app makes when it starts. */
async function theAdmin(dir: string, server: Connection, settings: Record<string, string>): Promise<string> {
  const read = async () => {
    const rows: { id: string }[] = await server.query('SELECT id FROM User WHERE email = ?', [WITH_ADMIN.ADMIN_EMAIL])
    return rows[0]?.id
  }
  const known = await read()
  if (known !== undefined) return known
  const app = await startApp(dir, settings)
  await app.stop()
  const made = await read()
  if (made === undefined) throw new Error('the app made no admin')
  return made
}

/** Has the app's own code make the filter, where Redis has none that holds all links. */
async function ensureFilter(settings: Record<string, string>, count: number): Promise<void> {
  const config = readConfig({ ...process.env, ...settings })
  const db = new DatabaseGateway(config.DATABASE_URL, 4)
  const runtime = await buildRedirects(config, db, null)
  try {
    if (!(await runtime.redis.connected(3_000))) throw new Error('Redis does not answer')
    const { codes } = await readFilter(runtime.redis, filterSettings(config))
    // An estimate. Whether it is to be believed after a restart is for the app to find out.
    if (codes > 0.95 * count) return
    progress('filter', 0, count)
    await fillFilter(config, { ...runtime, db })
    progress('filter', count, count)
  } finally {
    await runtime.close()
  }
}
