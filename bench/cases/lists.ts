import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Connection } from 'mariadb'
import { createIdSource } from '@/lib/db/id'
import { migrate } from '@/lib/db/migrate'
import { CUT } from '@/lib/search/indexer'
import { signIn, WITH_ADMIN } from '../admin'
import type { ServerProcess } from '../processes'
import { createRandom } from '../random'
import type { Row } from '../report'
import { connect, emptyDatabase, type World } from '../world'
import { withApp } from './redirects'

/** Requests of one kind in a round. */
const REQUESTS = 60
const PAGE = 100
/** Pages that are turned until the measurement of the 1,000th. */
const TURNED = 999
const DAY = 86_400_000
/** Over which the links were made. */
const DAYS = 300

/** What the lists of the dashboard and of admins take when one account has a million links. */
export async function lists(world: World): Promise<Row[]> {
  const settings = await emptyDatabase('lists')
  await migrate(settings.DATABASE_URL ?? '')
  return await withApp(
    world,
    'lists',
    { settings },
    async (app) => {
      const asker = await asAdmin(app)
      const words = await fill(settings.DATABASE_URL ?? '', world.plan.links)
      return [await dashboard(world, asker), await filtered(world, asker), ...(await search(world, asker, words))]
    },
    WITH_ADMIN,
  )
}

/** Asks for a page, and tells how long it took in ms and what came. */
type Asker = (path: string) => Promise<{ ms: number; links: number; nextCursor: string | null }>

async function asAdmin(app: ServerProcess): Promise<Asker> {
  const headers = await signIn(app)
  return async (path) => {
    const begun = performance.now()
    const page = await fetch(`${app.origin}/api/v1${path}`, { headers })
    const body = (await page.json()) as { links: unknown[]; nextCursor: string | null }
    const ms = performance.now() - begun
    if (!page.ok) throw new Error(`${path}: ${page.status} ${JSON.stringify(body)}`)
    return { ms, links: body.links.length, nextCursor: body.nextCursor }
  }
}

const SORTS = ['newest', 'oldest', 'clicks'] as const

/** The first page, and those from the 1,000th on, in every order. */
async function dashboard({ plan }: World, ask: Asker): Promise<Row> {
  const times: Record<string, number[]> = {}
  for (const sort of SORTS) {
    const list = `/links?limit=${PAGE}&sort=${sort}`
    let cursor: string | null = null
    for (let page = 0; page < Math.min(TURNED, plan.links / PAGE / 2); page++) {
      cursor = (await ask(cursor === null ? list : `${list}&cursor=${cursor}`)).nextCursor
    }
    for (let round = 0; round < plan.rounds; round++) {
      for (let i = 0; i < REQUESTS; i++) {
        note(times, `first, ${sort}`, (await ask(list)).ms)
        const page = await ask(`${list}&cursor=${cursor}`)
        note(times, `1,000th, ${sort}`, page.ms)
        cursor = page.nextCursor
      }
    }
  }
  return rowOf(`dashboard list at ${number(plan.links)} links of one owner, first and 1,000th page, p95`, 60, times)
}

/** Pages under a filter, each from where the one before stopped looking: those that fit little come short. */
async function filtered({ plan }: World, ask: Asker): Promise<Row> {
  const filters = {
    disabled: 'state=disabled',
    expired: 'state=expired',
    'clicked 1,000 times': 'minClicks=1000',
    'of one month': `from=${time(-90 * DAY)}&to=${time(-60 * DAY)}`,
    'of one month, most clicked first': `from=${time(-90 * DAY)}&to=${time(-60 * DAY)}&sort=clicks`,
    'never clicked, banned': 'maxClicks=0&state=banned',
  }
  const times: Record<string, number[]> = {}
  for (const [name, filter] of Object.entries(filters)) {
    await follow(ask, `/links?limit=50&${filter}`, plan.rounds * REQUESTS, ({ ms }) => note(times, name, ms))
  }
  return rowOf('the same under a filter, each answer, p95', 60, times)
}

/** Words of four kinds, looked for among the links of everyone. */
async function search({ plan }: World, ask: Asker, words: Words): Promise<Row[]> {
  const times: Record<string, number[]> = {}
  const pages: Record<string, number[]> = {}
  for (let round = 0; round < plan.rounds; round++) {
    for (const [kind, some] of Object.entries(words)) {
      for (const word of some) {
        let answers = 0
        const begun = performance.now()
        await follow(ask, `/admin/links?limit=50&q=${word}`, 8, ({ ms, links }) => {
          note(times, kind, ms)
          answers += 1
          return links === 0
        })
        note(pages, `${kind}, in ${answers === 1 ? 'one answer' : 'several answers'}`, performance.now() - begun)
      }
    }
  }
  const title = `admin search over ${number(plan.links)} links`
  return [
    rowOf(`${title}, each answer, p95`, 150, times),
    { ...rowOf(`${title}, until there is something to see, p95`, null, pages), met: null, goal: '' },
  ]
}

type Page = Awaited<ReturnType<Asker>>

/** Follows a list from its beginning as long as there is more, `see` does not say false, and `most` answers at most. */
async function follow(ask: Asker, list: string, most: number, see: (page: Page) => unknown): Promise<void> {
  let cursor: string | null = null
  for (let i = 0; i < most; i++) {
    const page: Page = await ask(cursor === null ? list : `${list}&cursor=${cursor}`)
    if (see(page) === false) return
    cursor = page.nextCursor
    if (cursor === null) return
  }
}

function note(times: Record<string, number[]>, name: string, ms: number): void {
  const known = times[name] ?? []
  known.push(ms)
  times[name] = known
}

/** A row for the slowest kind; the note tells all. @param goal ms */
function rowOf(title: string, goal: number | null, times: Record<string, number[]>): Row {
  const p95 = Object.fromEntries(Object.entries(times).map(([name, all]) => [name, percentile(all, 0.95)]))
  const worst = Math.max(...Object.values(p95))
  return {
    title,
    goal: `< ${goal} ms`,
    result: `${worst.toFixed(0)} ms`,
    met: goal === null ? null : worst < goal,
    note: Object.entries(p95)
      .map(([name, ms]) => `${name} ${ms.toFixed(0)}`)
      .join(', '),
    raw: Object.fromEntries(
      Object.entries(times).map(([name, all]) => [name, { p50: percentile(all, 0.5), p95: p95[name], count: all.length }]),
    ),
  }
}

function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

const number = (n: number) => n.toLocaleString('en-US')
const time = (offset: number) => new Date(Date.now() + offset).toISOString()

/** Words by how many links have them. */
type Words = Record<'in every third link' | 'in one of 300' | 'in 20' | 'in none' | 'two, in one of 300 and in 20', string[]>

const SAMPLES = 10
const RARE = 400
const BATCH = 2_000

/** Links of the admin as people make them: hosts and words of which few are frequent, clicks of which most have none. */
async function fill(databaseUrl: string, count: number): Promise<Words> {
  const server = await connect()
  try {
    await server.query(`USE ${new URL(databaseUrl).pathname.slice(1)}`)
    const [admin]: { id: string }[] = await server.query('SELECT id FROM User')
    await insert(server, admin?.id ?? '', count)
    await server.query('ANALYZE TABLE Link')
    await indexed(server, count)
  } finally {
    await server.end()
  }
  const some = (word: (i: number) => string) => Array.from({ length: SAMPLES }, (_, i) => word(i))
  return {
    'in every third link': some((i) => COMMON[i % COMMON.length] ?? ''),
    'in one of 300': some((i) => middling(i * 7)),
    'in 20': some((i) => rare(i * 11)),
    'in none': some((i) => `nowhere${i}`),
    'two, in one of 300 and in 20': some((i) => `${middling(i)}+${rare(i)}`),
  }
}

/** Waits until the app has brought them into its search index, but for fewer than are worth a block. */
async function indexed(server: Connection, count: number): Promise<void> {
  for (;;) {
    const [row]: { links: string | null }[] = await server.query('SELECT SUM(size) AS links FROM SearchBlock')
    if (Number(row?.links ?? 0) > count - CUT.least) return
    await delay(500)
  }
}

const COMMON = ['spring', 'offer', 'guide']
const middling = (i: number) => `topic${spelled(i % 300)}`
const rare = (i: number) => `special${spelled(i % RARE)}`
/** A number in letters, so that no word begins another. */
const spelled = (n: number) => String(n + 1_000).replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')

const COLUMNS =
  'id, domainId, code, fullShortUrl, url, urlHash, ownerId, title, state, banReason, expiresAt, clicks, createdAt, updatedAt, version'

async function insert(server: Connection, ownerId: string, count: number): Promise<void> {
  const random = createRandom(count)
  const begin = Date.now() - DAYS * DAY
  let clock = begin
  const nextId = createIdSource(() => clock, 1)
  let rows: unknown[][] = []
  for (let i = 0; i < count; i++) {
    clock = begin + Math.floor((i / count) * DAYS * DAY)
    const id = nextId()
    const common = COMMON[i % 3] ?? ''
    const special = i % Math.floor(count / (20 * RARE)) === 0 ? ` ${rare(i / Math.floor(count / (20 * RARE)))}` : ''
    const url = `https://www.site${Math.floor(3_000 ** random())}.example/${common}/${middling(Math.floor(random() * 300))}-${i}?utm_source=newsletter`
    const state = random() < 0.01 ? 'disabled' : random() < 0.001 ? 'banned' : 'active'
    const at = new Date(clock)
    rows.push([
      ...[
        id,
        1,
        `b${i.toString(36)}`,
        `bench.example/b${i.toString(36)}`,
        url,
        createHash('sha256').update(url).digest(),
        ownerId,
      ],
      ...[`Page ${i}${special}`, state, '', random() < 0.05 ? new Date(clock + DAY) : null],
      ...[random() < 0.7 ? 0 : Math.floor(10_000 ** random()), at, at, id],
    ])
    if (rows.length < BATCH && i < count - 1) continue
    await server.beginTransaction()
    await server.batch(`INSERT INTO Link (${COLUMNS}) VALUES (${COLUMNS.replace(/\w+/g, '?')})`, rows)
    await server.commit()
    rows = []
  }
}
