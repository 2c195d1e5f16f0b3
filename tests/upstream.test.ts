import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { OldShortener } from '@/lib/testing/old-shortener'
import { type Answer, App, destination, eventually, type PrivateServers, privateServers, query, request, watch } from './harness'

// Two processes and an old shortener of this file's own, with its servers: all of them can fail.
const ADMIN = { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'correct horse battery' }
const HOST = 'go.example'
let servers: PrivateServers
let app: App
let base: string
let cookie: string
let domainId: number
let old: OldShortener

const admin = (method: string, path: string, body?: unknown) => app.api(method, `/admin${path}`, body, { cookie, origin: base })
/** Over a connection of its own, so that each process has its turn. */
const at = (path: string): Promise<Answer> => request(app.port, path, { headers: { host: HOST, accept: 'text/html' } })
const told = ({ status, headers }: Answer) => `${status} ${headers.location}`
const saysSo = ({ status, body }: Answer) => status === 502 && body.includes('doesn’t answer')

/** A process that has not noticed yet that MySQL is back answers 503. */
const set = (upstream: { url: string; host?: string } | null) =>
  eventually(
    () => admin('PATCH', `/domains/${domainId}`, { upstream }),
    ({ status }) => status === 200,
  )
const counted = async () =>
  JSON.parse((await admin('GET', '/domains')).body).domains.find(({ id }: { id: number }) => id === domainId).upstream

let codes = 0
function oldLink(): string {
  const code = `code${++codes}`
  old.links.set(code, destination())
  return code
}
const oldLinks = (count: number) => Array.from({ length: count }, oldLink)
const right = (code: string) => `301 ${old.links.get(code)}`
const comesOver = (code: string, ms?: number) =>
  eventually(
    () => at(`/${code}`).then(told, String),
    (answer) => answer === right(code),
    ms,
  )

beforeAll(async () => {
  servers = await privateServers()
  const settings = { DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl, WEB_CONCURRENCY: '2' }
  app = await App.start({ ...settings, ...ADMIN, UPSTREAM_ALLOW: '127.0.0.0/8', UPSTREAM_PER_SECOND: '500' })
  base = `http://localhost:${app.port}`
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = ADMIN
  const signIn = await eventually(
    () => app.call('POST', '/api/auth/sign-in/email', { email, password }, { origin: base }),
    ({ status }) => status === 200,
  )
  cookie = (signIn.headers['set-cookie'] ?? []).map((one) => one.split(';', 1)[0]).join('; ')
  domainId = JSON.parse((await admin('POST', '/domains', { host: HOST })).body).id
  await query(servers.databaseUrl, 'UPDATE Domain SET verifiedAt = UTC_TIMESTAMP(3) WHERE id = ?', [domainId])
  await eventually(
    () => Promise.all(Array.from({ length: 12 }, () => at('/api/v1/links'))),
    (answers) => answers.every(({ status }) => status === 302),
  )
})
afterAll(async () => {
  await app?.stop()
  await servers?.stop()
})
beforeEach(async () => {
  old = await OldShortener.open()
})

describe('an old shortener that was just set', () => {
  test('is asked by every process: from the answer on, no visitor is told that there is no such link', async () => {
    for (let round = 0; round < 3; round++) {
      await set(null)
      await set({ url: old.url })
      const links = oldLinks(30)
      const answers = await Promise.all(links.map((code) => at(`/${code}`).then(told)))
      expect(answers).toEqual(links.map(right))
    }
  })

  test('in place of a wrong one is asked for what the wrong one did not know', async () => {
    const wrong = await OldShortener.open()
    await set({ url: wrong.url })
    const links = oldLinks(20)
    expect((await Promise.all(links.map((code) => at(`/${code}`)))).map(({ status }) => status)).toEqual(links.map(() => 404))
    await set({ url: old.url })
    expect(await Promise.all(links.map((code) => at(`/${code}`).then(told)))).toEqual(links.map(right))
  })
})

describe('with an old shortener', () => {
  let here: string

  beforeEach(async () => {
    await set({ url: old.url })
    here = oldLink()
    await comesOver(here)
    old.asked.length = 0
  })

  test('that takes longer than visitors wait, they are told so, links that are here go on, and nothing is remembered', async () => {
    const waiting: (() => void)[] = []
    const { unknown } = await counted()
    const link = oldLink()
    old.answer = (_request, response) => {
      const to = old.links.get(link)
      waiting.push(() => response.writeHead(301, { Location: to }).end())
      return true
    }
    const others = watch(
      () => at(`/${here}`),
      (answer) => told(answer) === right(here),
    )
    expect(await at(`/${link}`)).toSatisfy(saysSo)
    expect((await others.stop()).wrong).toEqual([])
    expect(waiting.length).toBeGreaterThan(0)
    old.answer = () => false
    await comesOver(link, 5_000)
    for (const answer of waiting) answer()
    expect((await counted()).unknown).toBe(unknown)
  })

  test('while MySQL is away, nobody can say whether a link was deleted here: it is not asked, and what is here goes on', async () => {
    const link = oldLink()
    await servers.mariadb.stop()
    onTestFinished(() => servers.mariadb.start())
    // Until then a process knows that nothing was deleted, for it asked a moment ago.
    await eventually(
      () => Promise.all(Array.from({ length: 12 }, () => at(`/${link}`))),
      (answers) => answers.every(({ status }) => status === 503),
    )
    old.asked.length = 0
    const others = watch(
      () => at(`/${here}`),
      (answer) => told(answer) === right(here),
    )
    const answers = await Promise.all(Array.from({ length: 40 }, () => at(`/${link}`)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503))
    expect((await others.stop()).wrong).toEqual([])
    expect(old.asked).toEqual([])
    await servers.mariadb.start()
    await comesOver(link)
  })

  test('while Redis is away, links come over, once each', async () => {
    await servers.redis.stop()
    const links = oldLinks(20)
    const answers = await Promise.all(links.flatMap((code) => [at(`/${code}`), at(`/${code}`)]))
    expect(answers.map(told)).toEqual(links.flatMap((code) => [right(code), right(code)]))
    const rows = await query<{ n: number }>(
      servers.databaseUrl,
      `SELECT COUNT(*) AS n FROM Link WHERE domainId = ? AND code IN (${links.map(() => '?')})`,
      [domainId, ...links],
    )
    expect(rows[0]?.n).toBe(links.length)
    await servers.redis.start()
    await comesOver(oldLink())
  })

  test('processes that are killed while they ask keep nobody waiting: those that take their place ask again', async () => {
    const link = oldLink()
    const asking = new Promise<void>((resolve) => {
      old.answer = () => {
        resolve()
        return true
      }
    })
    const first = at(`/${link}`).catch(String)
    await asking
    old.answer = () => false
    const workers = execFileSync('pgrep', ['-P', String(app.child.pid)], { encoding: 'utf8' })
    for (const pid of workers.trim().split('\n')) process.kill(Number(pid), 'SIGKILL')
    await first
    await comesOver(link, 30_000)
  })
})
