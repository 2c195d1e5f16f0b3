import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { backUp } from '@/lib/backup/back-up'
import { restore } from '@/lib/backup/restore'
import { migrate, requireFitIfUp } from '@/lib/db/migrate'
import { findGalera, type Galera, testGalera } from '@/lib/testing/galera'
import { testRedis } from '@/lib/testing/redis'
import { testConfig } from '@/lib/testing/runtime'
import { freePort } from '@/scripts/lib/loopback.mjs'
import { ensureTools, findProgram } from '@/scripts/lib/tools.mjs'
import { expectCountedOnce } from './clicks'
import { App, destination, eventually, query, ROOT, unknownCode } from './harness'
import { Traffic } from './traffic'

// A node is given up, and comes back with a copy of all data.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const parts = await findGalera()
const missing = 'missing' in parts ? parts.missing : ''
const [ONE, TWO, THREE] = [0, 1, 2] as const

describe.skipIf(missing !== '')(`a Galera cluster of three nodes${missing && ` (${missing})`}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'terse-galera-apps-'))
  let cluster: Galera
  let redisUrl: string
  /** One at each node. */
  let apps: App[]
  let traffic: Traffic | undefined

  const start = (databaseUrl: string, name: string) =>
    App.start({ DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, DATA_DIR: join(folder, name) })
  const urlOf = (node: number) => cluster.nodes[node]?.url ?? ''
  const rows = <T>(sql: string) => query<T>(urlOf(ONE), sql)

  beforeAll(async () => {
    if ('missing' in parts) return
    redisUrl = (await testRedis()).url
    cluster = await testGalera(parts)
    // All at once, on a database without tables.
    apps = await Promise.all([ONE, TWO, THREE].map((node) => start(urlOf(node), `node-${node}`)))
  })
  beforeEach(() => Promise.all(apps.map((app) => app.trusted())))
  afterEach(async () => {
    await traffic?.stop()
    traffic = undefined
  })
  afterAll(async () => {
    for (const app of apps ?? []) expect(app.log).not.toMatch(/unhandled|"level":60/i)
    expect(await Promise.all((apps ?? []).map((app) => app.stop()))).toEqual((apps ?? []).map(() => 0))
    rmSync(folder, { recursive: true, force: true })
  })

  async function underLoad(all: App[]): Promise<Traffic> {
    const link = await (all[0] as App).create({ url: destination() })
    traffic = new Traffic(all, link)
    await traffic.more()
    return traffic
  }

  /** Nothing denied, late or lost, and nothing twice; then every link leads where it should from everywhere. */
  async function expectAllWell(all: App[]): Promise<void> {
    if (!traffic) throw new Error('there was no load')
    await traffic.stop()
    expect([traffic.wrong, traffic.clicks.wrong]).toEqual([[], []])
    await expectCountedOnce({ databaseUrl: urlOf(ONE) }, traffic.clicks)
    for (const app of all) {
      await app.trusted()
      for (const { code, url } of traffic.created) expect((await app.get(`/${code}`)).headers.location).toBe(url)
    }
  }

  /** Transactions that all nodes have given up for one that another node committed before. */
  async function conflicts(): Promise<number> {
    const all = await Promise.all(
      [ONE, TWO, THREE].map((node) =>
        query<{ Value: string }>(
          urlOf(node),
          "SHOW GLOBAL STATUS WHERE Variable_name IN ('wsrep_local_cert_failures', 'wsrep_local_bf_aborts')",
        ),
      ),
    )
    return all.flat().reduce((sum, { Value }) => sum + Number(Value), 0)
  }

  const synced = (node: number) =>
    eventually(
      () => cluster.isSynced(node),
      (isSynced) => isSynced,
      90_000,
    )

  test('processes that start at once at all nodes migrate the database once', async () => {
    const made = await rows<{ name: string; finished: number }>(
      'SELECT migration_name AS name, finished_at IS NOT NULL AS finished FROM _prisma_migrations',
    )
    const folders = readdirSync(join(ROOT, 'prisma/migrations'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(made.map(({ name }) => name).sort()).toEqual(folders.map(({ name }) => name).sort())
    expect(made.every(({ finished }) => Number(finished) === 1)).toBe(true)
    expect(await rows('SELECT * FROM _terse_migrating')).toEqual([])
  })

  test('a process that died while it migrated holds up the next for seconds only', async () => {
    await query(urlOf(ONE), "INSERT INTO _terse_migrating (id, holder, beat) VALUES (1, 'a process that is gone', 7)")
    expect(await migrate(urlOf(TWO))).toEqual([])
    expect(await rows('SELECT * FROM _terse_migrating')).toEqual([])
  })

  test('a node that answers before it has what others committed is refused at the start', async () => {
    const control = await cluster.connect(ONE)
    await control.query('SET GLOBAL wsrep_sync_wait = 0')
    for (const enter of [migrate, requireFitIfUp])
      await expect(enter(urlOf(ONE))).rejects.toThrow('set wsrep_sync_wait=7 on every node')
    await control.query('SET GLOBAL wsrep_sync_wait = 7')
    await control.end()
  })

  test('all nodes are written to at once: conflicts are tried again and seen by nobody', async () => {
    const before = await conflicts()
    await underLoad(apps)
    const racing = Array.from({ length: 10 }, unknownCode)
    for (const code of racing) {
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, i) => apps[i % 3]?.api('POST', '/links', { url: destination(), code })),
      )
      expect(answers.map((answer) => answer?.status).sort()).toEqual([201, ...Array(11).fill(409)])
    }
    // One link edited at all nodes at once: who comes second is told so, or to try again.
    const link = await (apps[0] as App).create({ url: destination() })
    const edits = await Promise.all(
      Array.from({ length: 30 }, (_, i) => apps[i % 3]?.manage('PATCH', link, { url: `${link.url}/${i}` })),
    )
    expect(edits.map((answer) => answer?.status)).toEqual(edits.map(() => expect.toBeOneOf([200, 409, 503])))
    expect(edits.some((answer) => answer?.status === 200)).toBe(true)
    await traffic?.more()
    expect(traffic?.refused).toBe(0)
    expect(await conflicts()).toBeGreaterThan(before)
    await expectAllWell(apps)
    const twice = await rows('SELECT fullShortUrl FROM Link GROUP BY fullShortUrl HAVING COUNT(*) > 1')
    expect(twice).toEqual([])
  })

  test('a node is cut off from the others: its process serves what it knows and refuses the rest, until it is back', async () => {
    const known = await (apps[TWO] as App).create({ url: destination() })
    await underLoad(apps)
    const control = await cluster.connect(TWO)
    await control.query("SET GLOBAL wsrep_provider_options = 'gmcast.isolate=1'")
    const cutOff = apps[TWO] as App
    await eventually(
      () => cutOff.api('POST', '/links', { url: destination() }),
      ({ status }) => status === 503,
      20_000,
    )
    expect((await cutOff.get(`/${known.code}`)).headers.location).toBe(known.url)
    await traffic?.more()
    await control.query("SET GLOBAL wsrep_provider_options = 'gmcast.isolate=0'")
    await control.end()
    await synced(TWO)
    await eventually(
      () => cutOff.api('POST', '/links', { url: destination() }),
      ({ status }) => status === 201,
    )
    await traffic?.more()
    await expectAllWell(apps)
  })

  test('a node is killed: its process refuses changes, one behind a proxy goes on at another node, and no click is lost', async () => {
    const proxy = await startProxy(folder, [urlOf(THREE), urlOf(ONE)])
    const proxied = await start(proxy.url, 'proxied')
    apps.push(proxied)
    await proxied.trusted()
    await underLoad(apps)
    await cluster.nodes[THREE]?.daemon.kill('SIGKILL')
    const isRefused = async (app: App | undefined) => (await app?.api('POST', '/links', { url: destination() }))?.status === 503
    await eventually(
      () => isRefused(apps[THREE]),
      (refused) => refused,
      20_000,
    )
    await eventually(
      () => isRefused(proxied),
      (refused) => !refused,
      20_000,
    )
    await traffic?.more()
    for (const app of [apps[ONE], apps[TWO], proxied]) expect(await isRefused(app)).toBe(false)
    await cluster.nodes[THREE]?.start()
    await synced(THREE)
    await eventually(
      () => isRefused(apps[THREE]),
      (refused) => !refused,
    )
    await traffic?.more()
    await expectAllWell(apps)
    proxy.stop()
  })

  test('a backup is restored, once no process of any node works on the database', async () => {
    const link = await (apps[TWO] as App).create({ url: destination() })
    await apps.at(-1)?.stop()
    const { dump } = await ensureTools(['dump'])
    const config = testConfig({ DATABASE_URL: urlOf(ONE), REDIS_URL: redisUrl, DATA_DIR: join(folder, 'backup') })
    const file = join(folder, 'cluster.age')
    await backUp(config, { file, passphrase: 'only for tests', program: dump, warn: expect.fail })
    const secret = { check: () => {}, keep: () => {} }
    const restoring = () => restore(config, { file, passphrase: 'only for tests', overwrite: true, secret, tell: () => {} })
    // The other nodes' processes are not in this node's list.
    await apps[ONE]?.stop()
    await expect(restoring()).rejects.toThrow('by a process at another node')
    const before = await rows('SELECT id, code, url FROM Link ORDER BY id')
    await Promise.all(apps.map((app) => app.alive && app.stop()))
    await restoring()
    expect(await rows('SELECT id, code, url FROM Link ORDER BY id')).toEqual(before)
    apps = await Promise.all([ONE, TWO, THREE].map((node) => start(urlOf(node), `node-${node}`)))
    for (const app of apps) expect((await app.get(`/${link.code}`)).headers.location).toBe(link.url)
  })
})

/**
 * An haproxy as docs/operations.md describes it.
 * @param urls DATABASE_URLs of nodes: the first that is ready is used
 */
async function startProxy(dir: string, urls: string[]): Promise<{ url: string; stop: () => void }> {
  const program = findProgram(['haproxy'])
  if (program === undefined) throw new Error('there is no haproxy on this machine: apt-get install haproxy')
  const [first] = urls.map((url) => new URL(url))
  const port = await freePort()
  const check = join(dir, 'is-ready')
  writeFileSync(
    check,
    `#!/bin/sh
timeout 2 mariadb --no-defaults -h "$3" -P "$4" -u '${first?.username}' -p'${first?.password}' -Ne "SHOW STATUS LIKE 'wsrep_ready'" | grep -q ON
`,
    { mode: 0o755 },
  )
  const config = join(dir, 'haproxy.cfg')
  writeFileSync(
    config,
    `global
  external-check
  insecure-fork-wanted
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen mysql
  bind 127.0.0.1:${port}
  option external-check
  external-check path "${process.env.PATH}"
  external-check command ${check}
  default-server check inter 1s fall 2 rise 2 on-marked-down shutdown-sessions
${urls.map((url, i) => `  server node-${i} 127.0.0.1:${new URL(url).port}${i > 0 ? ' backup' : ''}`).join('\n')}
`,
  )
  const child: ChildProcess = spawn(program, ['-db', '-f', config], { stdio: 'ignore' })
  process.once('exit', () => child.kill('SIGKILL'))
  const url = new URL(first ?? '')
  url.port = String(port)
  await eventually(
    () => query(url.href, 'SELECT 1').catch(() => []),
    (found) => found.length === 1,
    20_000,
  )
  return { url: url.href, stop: () => void child.kill('SIGKILL') }
}
