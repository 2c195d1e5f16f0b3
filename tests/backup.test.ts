import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectTo } from '@/lib/testing/database'
import type { Daemon } from '@/scripts/lib/daemon.mjs'
import { ensureTools } from '@/scripts/lib/tools.mjs'
import { startServers } from '@/scripts/servers.mjs'
import { App, destination, eventually, OF_THIS_RUN, query, ROOT, SECRET, unknownCode } from './harness'

const PASSPHRASE = 'correct horse battery staple'
const LINKS = 40

/** Servers of this run's kind; and a MariaDB and a Redis, which in the suite of MySQL are another engine. */
let home: Place
let away: Place
let dump: string
let file: string
const folder = mkdtempSync(join(tmpdir(), 'terse-backups-'))

interface Place {
  env: Record<string, string>
  url: string
  redis: Daemon
  stop: () => Promise<void>
}

async function openPlace(programs?: { mariadb: string; redis: string }): Promise<Place> {
  const dir = mkdtempSync(join(tmpdir(), 'terse-place-'))
  const servers = await startServers({ dir, debug: true, sync: false, ...(programs && { programs }) })
  const env = { DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl, DATA_DIR: dir }
  return {
    env,
    url: servers.databaseUrl,
    redis: servers.redis,
    stop: () => servers.stop().finally(() => rmSync(dir, { recursive: true, force: true })),
  }
}

beforeAll(async () => {
  const tools = await ensureTools(['mariadb', 'redis', 'dump'])
  dump = tools.dump
  home = await openPlace()
  away = await openPlace(tools)
}, 120_000)

afterAll(async () => {
  await Promise.all([home?.stop(), away?.stop()])
  rmSync(folder, { recursive: true, force: true })
})

interface Ended {
  code: number | null
  output: string
}

function run(command: string, place: Place, args: string[], env: Record<string, string> = {}) {
  const where = ['backup', 'restore'].includes(command) ? [`--folder=${folder}`] : []
  const all = ['--enable-source-maps', join(ROOT, `dist/cli/${command}.js`), ...where, ...args]
  const child = spawn(process.execPath, all, {
    cwd: ROOT,
    env: { ...OF_THIS_RUN, NODE_ENV: 'production', APP_SECRET: SECRET, BACKUP_PASSPHRASE: PASSPHRASE, ...place.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, output })))
  return { child, ended }
}

const backUp = (place: Place, name: string) => run('backup', place, [`--program=${dump}`, name]).ended
const restore = (place: Place, args: string[], env = {}) => run('restore', place, args, env).ended

const tablesOf = async (url: string) =>
  (
    await query<{ name: string }>(
      url,
      'SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() ORDER BY 1',
    )
  ).map(({ name }) => name)

/** All rows of all tables, except of what a process keeps for itself. */
async function everything(url: string): Promise<Record<string, unknown[]>> {
  const connection = await connectTo(url, { bigIntAsNumber: false })
  try {
    const all: Record<string, unknown[]> = {}
    for (const table of (await tablesOf(url)).filter((name) => !name.startsWith('_'))) {
      const rows = await connection.query<unknown[]>({ sql: `SELECT * FROM \`${table}\``, rowsAsArray: true })
      const texts = rows.map((row) =>
        JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
      )
      all[table] = texts.sort()
    }
    return all
  } finally {
    await connection.end()
  }
}

/** Clicks of each link by code, as its row has them and as its rollups have them. */
const counts = (url: string) =>
  query<{ code: string; clicks: number; summed: number }>(
    url,
    `SELECT code, clicks, (SELECT COALESCE(SUM(ClickRollup.clicks), 0) FROM ClickRollup
       WHERE linkId = Link.id AND dimension = 0 AND span = 24) + 0 AS summed FROM Link ORDER BY code`,
  )

const ODD = 'quotes \' " ` back\\slash, %, emoji 🦊, line\nbreak, \u2028 and a null \0 and ); INSERT INTO `Link` ('

const MANY = 12_345_678_901

let links: { code: string; url: string; manageToken: string }[]
let banned: string

test('made under load and restored elsewhere, every link redirects and no click is lost or counted twice', async () => {
  const app = await App.start(home.env)
  links = []
  for (let i = 0; i < LINKS; i++) links.push(await app.create({ url: destination(), title: `link ${i}` }))
  const odd = links[0]
  await query(home.url, 'UPDATE Link SET title = ?, banReason = ?, clicksBefore = ? WHERE code = ?', [ODD, ODD, MANY, odd?.code])
  banned = links.pop()?.code ?? ''
  await query(home.url, "UPDATE Link SET state = 'banned' WHERE code = ?", [banned])
  const rule = "INSERT INTO BlockRule (id, kind, value, createdBy, createdAt) VALUES (1, 'host', 'blocked.example', '', NOW(3))"
  await query(home.url, rule)
  await app.trusted()

  const answered = new Map(links.map(({ code }) => [code, 0]))
  let stopped = false
  const load = Promise.all(
    [0, 1, 2, 3].map(async (lane) => {
      for (let i = lane; !stopped; i += 4) {
        const { code } = links[i % links.length] ?? { code: '' }
        const { status } = await app.get(`/${code}`)
        expect(status).toBe(302)
        answered.set(code, (answered.get(code) ?? 0) + 1)
      }
    }),
  )
  const total = () => [...answered.values()].reduce((sum, count) => sum + count, 0)
  await eventually(total, (count) => count > 500)
  const before = new Map(answered)
  const made = await backUp(home, 'under-load.age')
  stopped = true
  await load
  expect(made, made.output).toMatchObject({ code: 0 })
  file = join(folder, 'under-load.age')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  // Nothing of it can be read without the passphrase.
  expect(readFileSync(file).includes(SECRET)).toBe(false)
  await app.stop()

  const restored = await restore(away, [file])
  expect(restored, restored.output).toMatchObject({ code: 0 })
  const counted = await counts(away.url)
  expect(counted).toHaveLength(LINKS)
  for (const { code, clicks, summed } of counted) {
    expect(Number(summed), code).toBe(Number(clicks))
    expect(Number(clicks)).toBeLessThanOrEqual(answered.get(code) ?? 0)
  }
  const [title] = await query<{ title: string; banReason: string; clicksBefore: bigint | number }>(
    away.url,
    'SELECT title, banReason, clicksBefore FROM Link WHERE title = ?',
    [ODD],
  )
  expect(title?.banReason).toBe(ODD)
  // Of before a move, kept apart from what was counted here.
  expect(Number(title?.clicksBefore)).toBe(MANY)

  const there = await App.start(away.env)
  await there.trusted()
  for (const { code, url } of links) expect((await there.get(`/${code}`)).headers.location).toBe(url)
  // Rules stand there too.
  expect((await there.get(`/${banned}`)).status).toBe(410)
  const refused = await there.api('POST', '/links', { url: 'https://blocked.example/' })
  expect([refused.status, refused.body]).toEqual([422, expect.stringContaining('This destination is blocked')])
  expect((await there.get(`/${unknownCode()}`)).status).toBe(404)
  const isComplete = (rows: { code: string; clicks: number }[]) =>
    rows.every(({ code, clicks }) => code === banned || Number(clicks) >= (before.get(code) ?? 0) + 1)
  for (const { code, clicks, summed } of await eventually(() => counts(away.url), isComplete)) {
    expect(Number(summed), code).toBe(Number(clicks))
    // One click was made here.
    if (code !== banned) expect(Number(clicks)).toBeLessThanOrEqual((answered.get(code) ?? 0) + 1)
  }
  await there.stop()
}, 120_000)

test('there and back again, every row of every table is the same', async () => {
  const kept = await everything(away.url)
  const made = await backUp(away, 'back.age')
  expect(made, made.output).toMatchObject({ code: 0 })
  const restored = await restore(home, ['back.age', '--overwrite'])
  expect(restored, restored.output).toMatchObject({ code: 0 })
  expect(await everything(home.url)).toEqual(kept)
}, 60_000)

test('a Redis that holds newer links, edits and deletions gives way to what was restored', async () => {
  const app = await App.start(home.env)
  await app.trusted()
  const [edited, deleted, third] = links
  if (!edited || !deleted || !third) throw new Error('no links')
  const newer = await app.create({ url: destination() })
  expect((await app.get(`/${newer.code}`)).status).toBe(302)
  await app.manage('PATCH', edited, { url: destination() })
  await app.manage('DELETE', deleted)
  expect((await app.get(`/${deleted.code}`)).status).toBe(410)
  await app.stop()

  const restored = await restore(home, ['back.age', '--overwrite'])
  expect(restored, restored.output).toMatchObject({ code: 0 })
  const again = await App.start(home.env)
  for (const { code, url } of [edited, deleted, third]) expect((await again.get(`/${code}`)).headers.location).toBe(url)
  expect((await again.get(`/${newer.code}`)).status).toBe(404)
  await again.trusted()
  // What was issued after the backup is free again, and nothing that exists is issued a second time.
  const codes = await Promise.all(Array.from({ length: 20 }, async () => (await again.create({ url: destination() })).code))
  expect(new Set([...codes, ...links.map(({ code }) => code)]).size).toBe(20 + links.length)
  await again.stop()
}, 60_000)

test('a file that is cut off or altered, and a wrong passphrase, are refused before anything is written', async () => {
  const kept = await everything(home.url)
  const bytes = readFileSync(file)
  const flipped = Buffer.from(bytes)
  const middle = bytes.length >> 1
  flipped[middle] = (flipped[middle] ?? 0) ^ 1
  writeFileSync(join(folder, 'flipped.age'), flipped)
  writeFileSync(join(folder, 'cut.age'), bytes.subarray(0, -1))
  writeFileSync(join(folder, 'text.age'), 'hello')
  const refused = async (args: string[], why: string, env = {}) => {
    const { code, output } = await restore(home, [...args, '--overwrite'], env)
    expect([code, output.trim().split('\n').at(-1)]).toEqual([1, expect.stringContaining(why)])
  }
  await refused(['flipped.age'], 'the file is damaged')
  await refused(['cut.age'], 'the file is damaged')
  await refused(['text.age'], 'not a backup of Terse')
  await refused(['none.age'], 'none.age')
  await refused([file], 'the passphrase is wrong', { BACKUP_PASSPHRASE: 'not the passphrase' })
  await refused([file], '--show-secret', { APP_SECRET: 'another secret, 32 bytes or so' })
  expect(await everything(home.url)).toEqual(kept)
  expect((await restore(home, [file, '--show-secret'])).output.trim()).toBe(SECRET)
  expect((await restore(home, [file, '--check'])).output).toContain('This backup is whole')
}, 60_000)

test('data is not restored over unless told, nor under a running process', async () => {
  const kept = await everything(home.url)
  const full = await restore(home, [file])
  expect(full).toMatchObject({ code: 1, output: expect.stringContaining('--overwrite') })
  const app = await App.start(home.env)
  const busy = await restore(home, [file, '--overwrite'])
  expect(busy).toMatchObject({ code: 1, output: expect.stringContaining('Stop every process of Terse') })
  await app.stop()
  expect(Object.keys(kept)).toEqual(Object.keys(await everything(home.url)))
  expect(existsSync(`${file}.unfinished`)).toBe(false)
}, 60_000)

test('clicks that wait in Redis and in the spool are in it, and are counted once after the restore', async () => {
  const app = await App.start(home.env)
  await app.trusted()
  const link = await app.create({ url: destination() })
  const click = async () => expect((await app.get(`/${link.code}`)).status).toBe(302)
  const countIn = async (place: Place) => (await counts(place.url)).find(({ code }) => code === link.code)?.clicks ?? 0
  for (let i = 0; i < 5; i++) await click()
  await eventually(
    () => countIn(home),
    (count) => Number(count) === 5,
  )
  // Nothing is counted from here on: what a batch is registered in is locked.
  const lock = await connectTo(home.url)
  await lock.query('LOCK TABLES ClickBatch WRITE')
  for (let i = 0; i < 7; i++) await click()
  await home.redis.stop()
  for (let i = 0; i < 11; i++) await click()
  await app.stop('SIGKILL')
  await lock.end()
  await home.redis.start()

  const made = await backUp(home, 'waiting.age')
  expect(made, made.output).toMatchObject({ code: 0, output: expect.stringContaining('still to be counted') })
  expect(Number(await countIn(home))).toBe(5)
  const restored = await restore(away, ['waiting.age', '--overwrite'])
  expect(restored, restored.output).toMatchObject({ code: 0 })
  // The same batches a second time, as from a restore that was broken off behind them.
  const again = await restore(away, ['waiting.age', '--overwrite'])
  expect(again, again.output).toMatchObject({ code: 0 })
  expect(Number(await countIn(away))).toBe(5)
  const there = await App.start(away.env)
  await eventually(
    () => countIn(away),
    (count) => Number(count) >= 5 + 7 + 11,
    20_000,
  )
  await eventually(
    () => there.metric('terse_click_backlog_batches'),
    (batches) => batches === 0,
  )
  expect(Number(await countIn(away))).toBe(5 + 7 + 11)
  await there.stop()

  const without = await run('backup', home, [`--program=${dump}`, 'without.age'], { REDIS_URL: 'redis://127.0.0.1:1' }).ended
  expect(without, without.output).toMatchObject({ code: 0, output: expect.stringContaining('Redis does not answer') })
}, 90_000)

test.each(['SIGINT', 'SIGTERM'] as const)(
  'stopped by %s, it leaves neither a part of it nor a file with the password',
  async (signal) => {
    const temporary = mkdtempSync(join(folder, 'tmp-'))
    const slow = join(temporary, 'slow-dump')
    const script = '#!/bin/sh\ncase "$*" in *--version) echo MariaDB; exit;; esac\necho "-- rows"\nexec sleep 60\n'
    writeFileSync(slow, script, { mode: 0o755 })
    const name = `${signal}.age`
    const { child, ended } = run('backup', home, [`--program=${slow}`, name], { TMPDIR: temporary })
    const left = () => [...readdirSync(temporary), ...readdirSync(folder)].filter((file) => /^terse-dump-|^SIG/.test(file))
    await eventually(left, (files) => files.length === 2)
    child.kill(signal)
    expect(await ended).toEqual({ code: 1, output: 'backup: stopped. Nothing is left of this backup\n' })
    expect(left()).toEqual([])
  },
)

test('half a restore is never started on, and the next one ends it', async () => {
  const { child, ended } = run('restore', home, [file, '--overwrite'])
  // A connection to the database itself would be one that uses it.
  const server = new URL(home.url)
  const name = server.pathname.slice(1)
  server.pathname = '/'
  const ask = <T>(sql: string) => query<T>(server.href, sql)
  /** Rows of before are gone. */
  const isHalf = async () => {
    const all = await ask<{ name: string }>(
      `SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = '${name}'`,
    )
    const tables = all.map((table) => table.name)
    if (!tables.includes('_terse_restore')) return false
    return !tables.includes('Link') || (await ask(`SELECT id FROM ${name}.Link LIMIT 1`).catch(() => [1])).length === 0
  }
  await eventually(isHalf, (half) => half)
  child.kill('SIGKILL')
  await ended
  expect(await isHalf()).toBe(true)
  for (const ROLE of ['all', 'edge'])
    await expect(App.start({ ...home.env, ROLE })).rejects.toThrow('a restore into this database did not end')
  expect((await backUp(home, 'half.age')).output).toContain('a restore into this database did not end')
  // A filter of half of the links would deny the others.
  for (const command of ['codes-rebuild', 'clicks-dead']) {
    const refused = await run(command, home, []).ended
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('a restore into this database did not end')])
  }
  const restored = await restore(home, [file])
  expect(restored, restored.output).toMatchObject({ code: 0 })
  const app = await App.start(home.env)
  expect((await app.get(`/${links[1]?.code}`)).headers.location).toBe(links[1]?.url)
  await app.stop()
}, 60_000)
