import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { App, eventually, privateServers, query, request, type Servers, watch } from './harness'
import { startProxy, type TcpProxy } from './proxy'

let servers: Servers
let env: { DATABASE_URL: string; REDIS_URL: string }
let one: App
let two: App

beforeAll(async () => {
  servers = await privateServers()
  env = { DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl }
  one = await App.start(env)
  two = await App.start(env)
})

afterAll(async () => {
  await Promise.all([one?.stop(), two?.stop()])
  await servers?.stop()
})

describe('what one process changes', () => {
  test('edits, switching off, deletion and restoring are seen by another within a second', async () => {
    const link = await one.create({ url: 'https://example.com/0' })
    expect((await two.get(`/${link.code}`)).status).toBe(302)
    for (let i = 1; i <= 5; i++) {
      await one.manage('PATCH', link, { url: `https://example.com/${i}` })
      await eventually(
        () => two.get(`/${link.code}`),
        ({ headers }) => headers.location === `https://example.com/${i}`,
        1_000,
      )
    }
    const steps = [
      [() => one.manage('PATCH', link, { enabled: false }), 410],
      [() => one.manage('PATCH', link, { enabled: true }), 302],
      [() => one.manage('DELETE', link), 410],
      [() => one.manage('POST', link, undefined, '/restore'), 302],
    ] as const
    for (const [step, status] of steps) {
      await step()
      await eventually(
        () => two.get(`/${link.code}`),
        (answer) => answer.status === status,
        1_000,
      )
    }
  })

  test('a code that another process just called unknown leads somewhere as soon as it is made', async () => {
    expect((await two.get('/not-yet')).status).toBe(404)
    await one.create({ url: 'https://example.com/now', code: 'not-yet' })
    await eventually(
      () => two.get('/not-yet'),
      ({ status }) => status === 302,
      1_000,
    )
  })

  test('of many edits through both at once the last one committed is what memory, Redis and MySQL hold', async () => {
    const link = await one.create({ url: 'https://example.com/start' })
    const readers = watch(
      () => two.get(`/${link.code}`),
      ({ status }) => status === 302,
    )
    const edits = await Promise.all(
      Array.from({ length: 40 }, (_, i) => (i % 2 ? one : two).manage('PATCH', link, { url: `https://example.com/edit-${i}` })),
    )
    expect(edits.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    expect(edits.every(({ status }) => status === 200 || status === 409)).toBe(true)
    const [row] = await query<{ url: string }>(servers.databaseUrl, 'SELECT url FROM Link WHERE code = ?', [link.code])
    const cold = await App.start({ ...env, CACHE_ENTRIES: '0' })
    for (const app of [one, two, cold]) {
      await eventually(
        () => app.get(`/${link.code}`),
        ({ headers }) => headers.location === row?.url,
        1_000,
      )
    }
    expect((await readers.stop()).wrong).toEqual([])
    await cold.stop()
  })

  test('64 creators racing over two processes never get one code twice', async () => {
    const same = Array.from({ length: 64 }, (_, i) => (i % 2 ? one : two).create({ url: 'https://example.com/all-the-same' }))
    const distinct = Array.from({ length: 64 }, (_, i) => (i % 2 ? one : two).create({ url: `https://example.com/each-${i}` }))
    const links = await Promise.all([...same, ...distinct])
    expect(new Set(links.map(({ code }) => code)).size).toBe(128)
    for (const link of links) expect((await one.get(`/${link.code}`)).headers.location).toBe(link.url)
  })
})

describe.each(['cut', 'freeze'] as const)('only one process is off Redis (%s)', (how) => {
  let proxy: TcpProxy
  let lone: App

  beforeAll(async () => {
    proxy = await startProxy(servers.redis.port)
    lone = await App.start({ ...env, REDIS_URL: servers.redisUrl.replace(`:${servers.redis.port}`, `:${proxy.port}`) })
  })
  afterAll(async () => {
    await lone?.stop()
    await proxy?.close()
  })

  test('what either changes or makes is right in both within a second', async () => {
    const links = await Promise.all(['a', 'b', 'c', 'd'].map((name) => one.create({ url: `https://example.com/${name}` })))
    const [a, b, c, d] = links as [(typeof links)[0], (typeof links)[0], (typeof links)[0], (typeof links)[0]]
    for (const link of links) {
      expect((await lone.get(`/${link.code}`)).status).toBe(302)
      expect((await one.get(`/${link.code}`)).status).toBe(302)
    }
    proxy[how]()
    await one.manage('PATCH', a, { url: 'https://example.com/a2' })
    await eventually(
      () => lone.get(`/${a.code}`),
      ({ headers }) => headers.location === 'https://example.com/a2',
      1_000,
    )
    await one.manage('DELETE', b)
    await eventually(
      () => lone.get(`/${b.code}`),
      ({ status }) => status === 410,
      1_000,
    )
    await lone.manage('PATCH', c, { url: 'https://example.com/c2' })
    await eventually(
      () => one.get(`/${c.code}`),
      ({ headers }) => headers.location === 'https://example.com/c2',
      1_000,
    )
    await lone.manage('DELETE', d)
    await eventually(
      () => one.get(`/${d.code}`),
      ({ status }) => status === 410,
      1_000,
    )

    const here = await lone.create({ url: 'https://example.com/made-alone' })
    expect((await one.get(`/${here.code}`)).status).toBe(302)
    const there = await one.create({ url: 'https://example.com/made-there' })
    expect((await lone.get(`/${there.code}`)).status).toBe(302)

    proxy.heal()
    await eventually(
      () => query<{ n: number }>(servers.databaseUrl, 'SELECT COUNT(*) AS n FROM Outbox'),
      (rows) => rows[0]?.n === 0,
    )
    for (const app of [one, lone]) {
      expect((await app.get(`/${c.code}`)).headers.location).toBe('https://example.com/c2')
      expect((await app.get(`/${here.code}`)).status).toBe(302)
    }
  })
})

describe('other shapes', () => {
  test('WEB_CONCURRENCY=2 serves, and a killed worker is replaced', async () => {
    const app = await App.start({ ...env, WEB_CONCURRENCY: '2' })
    const link = await app.create({ url: 'https://example.com/cluster' })
    for (let i = 0; i < 10; i++) expect((await app.get(`/${link.code}`)).status).toBe(302)
    const { execFileSync } = await import('node:child_process')
    const workers = () =>
      execFileSync('pgrep', ['-P', String(app.child.pid)], { encoding: 'utf8' })
        .trim()
        .split('\n')
    const [victim] = workers()
    expect(workers()).toHaveLength(2)
    process.kill(Number(victim), 'SIGKILL')
    await eventually(workers, (pids) => pids.length === 2 && !pids.includes(victim ?? ''))
    await eventually(
      () => app.get(`/${link.code}`).catch(() => null),
      (answer) => answer?.status === 302,
    )
    expect(await app.stop()).toBe(0)
  })

  test('ROLE=edge redirects, shows its pages, hears of changes within a second, and sends the rest home', async () => {
    const edge = await App.start({ ...env, ROLE: 'edge', BASE_URL: `http://localhost:${one.port}` })
    const link = await one.create({ url: 'https://example.com/near' })
    expect((await edge.get(`/${link.code}`)).headers.location).toBe('https://example.com/near')
    await one.manage('PATCH', link, { url: 'https://example.com/nearer' })
    await eventually(
      () => edge.get(`/${link.code}`),
      ({ headers }) => headers.location === 'https://example.com/nearer',
      1_000,
    )
    await one.manage('PATCH', link, { password: 'open' })
    await eventually(
      () => edge.get(`/${link.code}`, { accept: 'text/html' }),
      ({ body }) => body.includes('type="password"'),
      1_000,
    )
    const opened = await request(edge.port, `/${link.code}`, { method: 'POST', body: 'password=open' })
    expect(opened.status).toBe(303)
    expect((await edge.get('/no-such-code', { accept: 'text/html' })).status).toBe(404)
    expect((await edge.get(`/${(await one.create({ url: 'https://example.com/p' })).code}+`)).body).toContain('example.com/p')
    const home = await edge.get('/docs')
    expect([home.status, home.headers.location]).toEqual([302, `http://localhost:${one.port}/docs`])
    expect((await edge.get('/readyz')).status).toBe(200)
    expect(await edge.stop()).toBe(0)
  })

  test('SIGTERM lets a request under way end, then exits 0', async () => {
    const app = await App.start(env)
    const body = JSON.stringify({ url: 'https://example.com/slow' })
    const answer = new Promise<string>((resolve, reject) => {
      const socket = connect(app.port, '127.0.0.1', () => {
        socket.write(
          `POST /api/v1/links HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
        )
        socket.write(body.slice(0, 10), () => {
          const stopped = app.stop()
          // Once no new connection is taken, the rest of the body follows.
          eventually(
            () =>
              app.get('/healthz').then(
                () => 'open',
                () => 'closed',
              ),
            (state) => state === 'closed',
          )
            .then(() => socket.write(body.slice(10)))
            .then(() => stopped)
            .catch(reject)
        })
      })
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk.toString()
      })
      socket.on('close', () => resolve(text))
      socket.on('error', reject)
    })
    expect(await answer).toMatch(/^HTTP\/1\.1 201/)
    expect(await app.stop()).toBe(0)
  })

  test('CODE_REUSE_AFTER=0 frees a deleted code at once, "never" does not', async () => {
    const hasty = await App.start({ ...env, CODE_REUSE_AFTER: '0' })
    const link = await hasty.create({ url: 'https://example.com/old', code: 'again' })
    await hasty.manage('DELETE', link)
    expect((await hasty.get('/again')).status).toBe(404)
    await hasty.create({ url: 'https://example.com/new', code: 'again' })
    expect((await hasty.get('/again')).headers.location).toBe('https://example.com/new')
    expect((await hasty.manage('POST', link, undefined, '/restore')).status).toBe(409)
    await hasty.stop()
    const strict = await App.start({ ...env, CODE_REUSE_AFTER: 'never' })
    const kept = await strict.create({ url: 'https://example.com/kept', code: 'once' })
    await strict.manage('DELETE', kept)
    expect((await strict.get('/once')).status).toBe(410)
    expect((await strict.api('POST', '/links', { url: 'https://example.com/', code: 'once' })).status).toBe(409)
    await strict.stop()
  })
})
