import { execFileSync } from 'node:child_process'
import { Agent, request as ask } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { missingYourls, YOURLS_HOST, YOURLS_SIGNATURE, Yourls } from '@/lib/testing/yourls'
import { run } from '@/scripts/lib/processes.mjs'
import { App, eventually, ownServers, query, ROOT, request, SECRET, type Servers } from './harness'

// Ten thousand links are created by PHP, and moved under load.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 })

const missing = await missingYourls()
const ADMIN = { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'correct horse battery' }
const LINKS = 10_000
/** Links that nobody follows before the faults. */
const LEFT = 300
const FLOOD = 100_000
/** Of each process, so that a machine with little to spare for PHP keeps up. */
const PER_SECOND = 200

/** A redirect that failed, and what is needed to find out why. */
interface Failure {
  /** What happened meanwhile, and how long after the visitors came, in s. */
  phase: string
  after: number
  code: string
  /** Status and Location; an error of the connection. */
  told: string
  /** The connection, which leads to one process. */
  port: number | undefined
}

/** Visitors of the short domain: each follows one code after the other, and knows where it has to lead. */
class Visitors {
  followed = 0
  /** What happens meanwhile. */
  phase = ''
  readonly failures: Failure[] = []
  /** How long each redirect took, in ms. */
  readonly took: number[] = []
  private readonly agent = new Agent({ keepAlive: true })
  private stopped = false
  private readonly loops: Promise<void>[]

  constructor(port: number, urls: ReadonlyMap<string, string>, codes: readonly string[], connections: number, pause = 0) {
    let next = 0
    const came = performance.now()
    const loop = async () => {
      while (!this.stopped) {
        const code = codes[next++ % codes.length] ?? ''
        const begun = performance.now()
        const { told, local } = await this.follow(port, code)
        this.took.push(performance.now() - begun)
        this.followed += 1
        if (told !== `301 ${urls.get(code)}`) {
          const after = Math.round(performance.now() - came) / 1_000
          this.failures.push({ phase: this.phase, after, code, told, port: local })
        }
        if (pause > 0) await delay(pause)
      }
    }
    this.loops = Array.from({ length: connections }, loop)
  }

  /** @returns status and Location, or the error of the connection; and its local port */
  private follow(port: number, code: string): Promise<{ told: string; local: number | undefined }> {
    return new Promise((resolve) => {
      const call = ask(
        { host: '127.0.0.1', port, path: `/${code}`, agent: this.agent, headers: { host: YOURLS_HOST } },
        (response) => {
          const local = response.socket.localPort
          response.resume().on('end', () => resolve({ told: `${response.statusCode} ${response.headers.location}`, local }))
        },
      )
      call.on('error', (error) => resolve({ told: error.message, local: call.socket?.localPort }))
      call.end()
    })
  }

  async until(followed: number): Promise<void> {
    await eventually(
      () => this.followed,
      (count) => count >= followed,
      300_000,
    )
  }

  async stop(): Promise<void> {
    this.stopped = true
    await Promise.all(this.loops)
    this.agent.destroy()
  }

  percentile(share: number): number {
    const sorted = [...this.took].sort((a, b) => a - b)
    return Math.round(sorted[Math.floor(sorted.length * share)] ?? 0)
  }
}

describe.skipIf(missing !== '')(`moving from a real YOURLS${missing && ` (${missing})`}`, () => {
  let servers: Servers
  let app: App
  let base: string
  let cookie: string
  let yourls: Yourls
  let urls: Map<string, string>
  let domainId: number

  const api = (method: string, path: string, body?: unknown) => app.api(method, path, body, { cookie, origin: base })
  const at = (path: string, headers = {}) => request(app.port, path, { headers: { host: YOURLS_HOST, ...headers } })
  const setUpstream = async (upstream: { url: string } | null) => {
    const { status, body } = await api('PATCH', `/admin/domains/${domainId}`, { upstream })
    if (status !== 200) throw new Error(`${status} ${body}`)
  }
  const settings = () => ({
    ...{ DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl, WEB_CONCURRENCY: '2', RATE_LIMIT: 'off' },
    // `verify` asks by FETCH_ALLOW.
    ...{ FETCH_ALLOW: '127.0.0.0/8', UPSTREAM_PER_SECOND: String(PER_SECOND) },
  })
  const followed = () => [...urls.keys()].slice(0, -LEFT)
  const codesHere = async () =>
    (await query<{ code: string }>(servers.databaseUrl, 'SELECT code FROM Link WHERE domainId = ?', [domainId])).map(
      ({ code }) => code,
    )

  beforeAll(async () => {
    if (missing !== '') return
    servers = await ownServers()
    ;({ yourls, urls } = await Yourls.open(LINKS))
    app = await App.start({ ...settings(), ...ADMIN })
    base = `http://localhost:${app.port}`
    const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = ADMIN
    const signIn = await eventually(
      () => app.call('POST', '/api/auth/sign-in/email', { email, password }, { origin: base }),
      ({ status }) => status === 200,
    )
    cookie = (signIn.headers['set-cookie'] ?? []).map((one) => one.split(';', 1)[0]).join('; ')
    const added = JSON.parse((await api('POST', '/admin/domains', { host: YOURLS_HOST })).body)
    domainId = added.id
    await query(servers.databaseUrl, 'UPDATE Domain SET verifiedAt = UTC_TIMESTAMP(3) WHERE id = ?', [domainId])
    await eventually(
      () => Promise.all(Array.from({ length: 12 }, () => at('/api/v1/links'))),
      (answers) => answers.every(({ status }) => status === 302),
    )
    // From this answer on, all processes ask it: visitors may come.
    await setUpstream({ url: yourls.url })
  })
  afterAll(async () => {
    await app?.stop()
    await servers?.stop()
  })

  const tried = new Set<string>()
  /** Links that never came over, and will. */
  const left = () => [...urls.keys()].slice(-LEFT).filter((code) => !/^\d+$/.test(code))
  const isBusy = ({ status, body }: { status: number; body: string }) => status === 502 && body.includes('doesn’t answer')

  test.each([
    ['stands still', () => yourls.signal('SIGSTOP'), async () => yourls.signal('SIGCONT')],
    ['is killed', () => yourls.stop(), () => yourls.start()],
  ])(
    'while YOURLS %s, links that are here work, others are a page that says so, and come when it is back',
    async (_, fail, mend) => {
      const visitors = new Visitors(app.port, urls, followed().slice(0, 500), 3, 5)
      // Each of them is here.
      await visitors.until(520)
      await fail()
      const code = left().find((one) => !tried.has(one)) ?? ''
      tried.add(code)
      expect(await at(`/${code}`, { accept: 'text/html' })).toSatisfy(isBusy)
      await visitors.until(visitors.followed + 500)
      await mend()
      await eventually(
        () => at(`/${code}`),
        ({ status, headers }) => status === 301 && headers.location === urls.get(code),
        20_000,
      )
      await visitors.stop()
      expect(visitors.failures.slice(0, 10)).toEqual([])
    },
  )
  test('a flood of unknown codes asks YOURLS so many a second, and no link that is here fails', async () => {
    const asked = async () =>
      JSON.parse((await api('GET', '/admin/domains')).body).domains.find(({ id }: { id: number }) => id === domainId)
    const before = (await asked()).upstream
    const visitors = new Visitors(app.port, urls, followed().slice(0, 500), 3, 5)
    await visitors.until(1_000)
    const quiet = [visitors.percentile(0.5), visitors.percentile(0.99)]
    visitors.took.length = 0
    const begun = performance.now()
    const answers = await flood(app.port, FLOOD, 3 * PER_SECOND)
    const seconds = (performance.now() - begun) / 1_000
    const flooded = [visitors.percentile(0.5), visitors.percentile(0.99)]
    await visitors.stop()
    const { unknown, failed } = await eventually(
      async () => (await asked()).upstream,
      (now) => now.busy - before.busy >= (answers.get(503) ?? 0),
      10_000,
    )
    const questions = unknown + failed - before.unknown - before.failed
    console.log(
      `    ${FLOOD} unknown codes in ${Math.round(seconds)} s: ${JSON.stringify([...answers])}; ${questions} asked; known links p50/p99 ${quiet} ms before, ${flooded} ms meanwhile`,
    )
    expect([...answers.keys()].filter((status) => ![404, 502, 503].includes(status))).toEqual([])
    expect(questions).toBeLessThanOrEqual(PER_SECOND * (seconds + 2))
    expect(visitors.failures.slice(0, 10)).toEqual([])
  })

  test('a killed process of Terse takes no more than the requests it was answering, and each of their links comes over', async () => {
    const workers = () =>
      execFileSync('pgrep', ['-P', String(app.child.pid)], { encoding: 'utf8' })
        .trim()
        .split('\n')
    const [victim, survivor] = workers()
    const visitors = new Visitors(app.port, urls, followed().slice(500, 2_500), 6)
    await visitors.until(200)
    process.kill(Number(victim), 'SIGKILL')
    await eventually(workers, (pids) => pids.length === 2 && !pids.includes(victim ?? '') && pids.includes(survivor ?? ''))
    await visitors.until(2_000)
    await visitors.stop()
    const [lost, wrong] = [
      visitors.failures.filter(({ told }) => isLost(told)),
      visitors.failures.filter(({ told }) => !isLost(told)),
    ]
    console.log(`    ${visitors.followed} redirects, ${lost.length} connections lost with the process`)
    expect(wrong).toEqual([])
    expect(lost.length).toBeLessThanOrEqual(6)
    const again = await Promise.all(lost.map(({ code }) => at(`/${code}`)))
    expect(again.map(({ headers }) => headers.location)).toEqual(lost.map(({ code }) => urls.get(code)))
  })

  test('no redirect fails while the domain leads here, its links come over one by one, the rest is imported, and YOURLS ends', async () => {
    const visitors = new Visitors(app.port, urls, [...urls.keys()], 6)
    visitors.phase = 'links come over'
    await visitors.until(2_000)
    const over = (await codesHere()).length
    visitors.phase = 'import'
    const dump = await yourls.dump()
    const imported = await command('import', 'yourls', dump, `--domain=${YOURLS_HOST}`)
    const here = await codesHere()
    visitors.phase = 'import by its API'
    const again = await importLive()
    await visitors.until(visitors.followed + 2_000)
    visitors.phase = 'verify'
    const verified = await command('verify', yourls.url)
    visitors.phase = 'YOURLS ends'
    await setUpstream(null)
    await yourls.stop()
    await visitors.until(visitors.followed + LINKS)
    await visitors.stop()
    const [p50, p99] = [visitors.percentile(0.5), visitors.percentile(0.99)]
    console.log(
      `    ${over} links came over by being followed, ${here.length} are here after the import\n${imported}\n${verified}`,
    )
    console.log(`    ${visitors.followed} redirects, ${visitors.failures.length} failed, p50 ${p50} ms, p99 ${p99} ms`)
    expect(visitors.failures.slice(0, 10)).toEqual([])
    // Its API lists what the dump has, and nothing is made twice.
    expect(again).toMatchObject({ state: 'done', done: here.length, counts: { exists: here.length } })
    expect((await codesHere()).length).toBe(here.length)
    expect([...urls.keys()].filter((code) => !new Set(here).has(code)).slice(0, 10)).toEqual([])
    // Those that came over by being followed have what only the dump tells, too.
    const untitled = "SELECT code FROM Link WHERE domainId = ? AND title = '' LIMIT 10"
    expect(await query(servers.databaseUrl, untitled, [domainId])).toEqual([])
  })

  /** All that YOURLS lists, asked page by page. @returns the job, once it is over */
  async function importLive(): Promise<{ state: string; finishedAt: string | null }> {
    const asked = { from: 'yourls', address: yourls.url, key: YOURLS_SIGNATURE, domain: YOURLS_HOST }
    const { status, body } = await api('POST', '/links/move', asked)
    if (status !== 202) throw new Error(`${status} ${body}`)
    const { number } = JSON.parse(body)
    return eventually(
      async () => JSON.parse((await api('GET', `/jobs/${number}`)).body),
      ({ finishedAt }) => finishedAt !== null,
      60_000,
    )
  }

  /** One of the commands for the operator, for the admin. @returns what it says */
  async function command(name: string, ...args: string[]): Promise<string> {
    const all = ['--enable-source-maps', join(ROOT, `dist/cli/${name}.js`), ...args, `--account=${ADMIN.ADMIN_EMAIL}`]
    const env = { ...process.env, ...settings(), APP_SECRET: SECRET, BASE_URL: base }
    return await run(process.execPath, all, { env }).catch((error) => Promise.reject(new Error(`${name}: ${error.output}`)))
  }
})

/** The connection was lost before there was an answer. */
const isLost = (told: string) => /ECONNRESET|socket hang up|EPIPE/.test(told)

/** Asks for so many unknown codes. @returns how often each status came */
async function flood(port: number, count: number, connections: number): Promise<Map<number, number>> {
  const agent = new Agent({ keepAlive: true })
  const statuses = new Map<number, number>()
  let next = 0
  const one = (path: string) =>
    new Promise<void>((resolve, reject) => {
      const call = ask({ host: '127.0.0.1', port, path, agent, headers: { host: YOURLS_HOST } }, (response) => {
        const status = response.statusCode ?? 0
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        response.resume().on('end', resolve)
      })
      call.on('error', reject)
      call.end()
    })
  const loop = async () => {
    while (next < count) await one(`/no-such-code-${next++}`)
  }
  await Promise.all(Array.from({ length: connections }, loop))
  agent.destroy()
  return statuses
}
