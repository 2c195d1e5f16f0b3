import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyDatabase } from '@/lib/testing/database'
import { ownRedis } from '@/lib/testing/redis'
import { type Answer, App, destination, eventually, query, ROOT, unknownCode, watch } from './harness'

/** Where the suite has built the previous release. */
const PREVIOUS = process.env.PREVIOUS_RELEASE ?? ''
const CLICKED = 10
const SPLIT_CLICKS = 60

let env: { DATABASE_URL: string; REDIS_URL: string }
let dir: string
let end: () => Promise<void>
const apps: App[] = []

beforeAll(async () => {
  const { redis, stop } = await ownRedis()
  dir = mkdtempSync(join(tmpdir(), 'terse-upgrade-'))
  env = { DATABASE_URL: await emptyDatabase(), REDIS_URL: redis.url }
  end = async () => {
    await stop()
    rmSync(dir, { recursive: true, force: true })
  }
})

afterAll(async () => {
  await Promise.all(apps.map((app) => app.stop()))
  await end?.()
})

async function start(root: string): Promise<App> {
  const app = await App.start({ ...env, DATA_DIR: mkdtempSync(join(dir, 'data-')) }, root)
  apps.push(app)
  return app
}

type Made = Awaited<ReturnType<App['create']>>

/** What people do, again and again, each with the one right answer. */
function work(app: App, clicked: Made[], clicks: Map<string, number>) {
  let turn = 0
  const redirects = watch(
    async () => {
      const link = clicked[turn++ % clicked.length]
      const answer = await app.get(`/${link?.code}`)
      if (answer.status === 302) clicks.set(link?.code ?? '', (clicks.get(link?.code ?? '') ?? 0) + 1)
      return answer.headers.location === link?.url ? answer : { ...answer, status: 0 }
    },
    ({ status }) => status === 302,
  )
  const misses = watch(
    () => app.get(`/${unknownCode()}`),
    ({ status }) => status === 404,
  )
  const creates = watch(
    async (): Promise<Answer> => {
      const link = await app.create({ url: destination(), title: 'made under load' })
      const edited = await app.manage('PATCH', link, { title: 'edited under load' })
      if (edited.status !== 200) return edited
      return await app.get(`/${link.code}`)
    },
    ({ status }) => status === 302,
  )
  return async () => {
    const all = [redirects, misses, creates]
    // However slow the machine, each has been at it for a while.
    await eventually(
      () => Math.min(...all.map(({ asked }) => asked)),
      (least) => least > 10,
      60_000,
    )
    const done = await Promise.all(all.map((one) => one.stop()))
    expect(done.flatMap(({ wrong }) => wrong)).toEqual([])
  }
}

const clicksOf = async (code: string) => {
  const [row] = await query<{ clicks: number }>(env.DATABASE_URL, 'SELECT clicks FROM Link WHERE code = ?', [code])
  return Number(row?.clicks)
}

test('this version starts beside the previous one, and no request of either fails', async () => {
  const before = await start(PREVIOUS)
  const clicked: Made[] = []
  for (let i = 0; i < CLICKED; i++) clicked.push(await before.create({ url: destination() }))
  await query(env.DATABASE_URL, "UPDATE Link SET ownerId = 'anna'")
  const clicks = new Map<string, number>()
  const stopBefore = work(before, clicked, clicks)

  const after = await start(ROOT)
  await after.trusted()
  const stopAfter = work(after, clicked, clicks)

  // What one makes or changes is true for the other.
  const [old, young] = [await before.create({ url: destination() }), await after.create({ url: destination() })]
  expect((await after.get(`/${old.code}`)).headers.location).toBe(old.url)
  expect((await before.get(`/${young.code}`)).headers.location).toBe(young.url)
  for (const [from, to, link] of [
    [before, after, old],
    [after, before, young],
  ] as const) {
    const url = destination()
    expect((await from.manage('PATCH', link, { url })).status).toBe(200)
    await eventually(
      () => to.get(`/${link.code}`),
      ({ headers }) => headers.location === url,
    )
    expect((await from.manage('DELETE', link)).status).toBe(204)
    await eventually(
      () => to.get(`/${link.code}`),
      ({ status }) => status === 410,
    )
  }

  // A click that carries where it led counts, whichever of the two counts it.
  const variants = [50, 50].map((weight) => ({ url: destination(), weight }))
  const split = await after.create({ url: destination(), routing: { split: { variants } } })
  for (let n = 0; n < SPLIT_CLICKS; n++) expect((await after.get(`/${split.code}`)).status).toBe(302)

  // A process of the previous release that is started again, or anew, still works: the update can be taken back.
  const again = await start(PREVIOUS)
  const stopAgain = work(again, clicked, clicks)
  await again.trusted()

  await stopBefore()
  expect(await before.stop()).toBe(0)
  await stopAgain()
  expect(await again.stop()).toBe(0)
  await stopAfter()
  for (const { code } of clicked) {
    expect(
      await eventually(
        () => clicksOf(code),
        (count) => count >= (clicks.get(code) ?? 0),
      ),
    ).toBe(clicks.get(code))
  }
  expect(
    await eventually(
      () => clicksOf(split.code),
      (count) => count >= SPLIT_CLICKS,
    ),
  ).toBe(SPLIT_CLICKS)
  // What the previous release counted, this one finds: after an hour as a rule, of which it is told that it is over.
  await query(env.DATABASE_URL, 'UPDATE CountedTo SET at = UTC_TIMESTAMP(3) - INTERVAL 1 DAY')
  const sum = [...clicks.values()].reduce((all, count) => all + count, 0)
  const ofAccount = async () => {
    const [row] = await query<{ n: number | null }>(
      env.DATABASE_URL,
      "SELECT SUM(clicks) AS n FROM AccountClick WHERE ownerId = 'anna'",
    )
    return Number(row?.n ?? 0)
  }
  expect(await eventually(ofAccount, (count) => count >= sum, 60_000)).toBe(sum)
}, 120_000)

test('what is said of the previous release is true', () => {
  const { migration } = JSON.parse(readFileSync(join(ROOT, 'prisma/previous-release.json'), 'utf8')) as { migration: string }
  const folder = join(PREVIOUS, 'prisma/migrations')
  expect(
    readdirSync(folder)
      .filter((name) => !name.endsWith('.toml'))
      .sort()
      .at(-1),
  ).toBe(migration)

  const schema = readFileSync(join(PREVIOUS, 'prisma/schema.prisma'), 'utf8').replace(/\/\/.*/g, '')
  const uses = (name: string) => {
    const [table = '', column] = name.split('.')
    const model = new RegExp(`^model ${table} \\{[^}]*`, 'm').exec(schema)?.[0]
    return model !== undefined && (column === undefined || new RegExp(`\\b${column}\\b`).test(model))
  }
  const claims = readdirSync(join(ROOT, 'prisma/migrations'))
    .filter((name) => name > migration && !name.endsWith('.toml'))
    .map((name) => readFileSync(join(ROOT, 'prisma/migrations', name, 'migration.sql'), 'utf8'))
    .flatMap((sql) => [...sql.matchAll(/^-- Not used by the previous release: (.+)$/gm)])
    .flatMap(([, list = '']) => list.split(',').map((name) => name.trim()))
  expect(claims.filter(uses)).toEqual([])
  expect([uses('Link.url'), uses('Link'), uses('Link.nothing'), uses('Nothing')]).toEqual([true, true, false, false])
})
