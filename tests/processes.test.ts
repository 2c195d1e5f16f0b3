import { execFileSync } from 'node:child_process'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { App, destination, eventually, ownServers, query, request, type Servers, unknownCode, watch } from './harness'

let servers: Servers
let env: { DATABASE_URL: string; REDIS_URL: string }
let one: App
let two: App

beforeAll(async () => {
  servers = await ownServers()
  env = { DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl }
  one = await App.start(env)
  two = await App.start(env)
})

afterAll(async () => {
  for (const app of [one, two]) expect(app?.log).not.toMatch(/unhandled|"level":(50|60)/i)
  expect(await Promise.all([one?.stop(), two?.stop()])).toEqual([0, 0])
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
    const cold = await App.start({ ...env, ROLE: 'edge', CACHE_MB: '0' })
    const link = await one.create({ url: destination() })
    for (let round = 0; round < 3; round++) {
      const readers = [one, two, cold].map((app) =>
        watch(
          () => app.get(`/${link.code}`),
          ({ status }) => status === 302,
        ),
      )
      const edits = await Promise.all(
        Array.from({ length: 40 }, (_, i) => (i % 2 ? one : two).manage('PATCH', link, { url: `${link.url}/${round}/${i}` })),
      )
      expect(edits.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
      expect(edits.every(({ status }) => status === 200 || status === 409)).toBe(true)
      const [row] = await query<{ url: string }>(servers.databaseUrl, 'SELECT url FROM Link WHERE code = ?', [link.code])
      expect(row?.url).toContain(`/${round}/`)
      await Promise.all(
        [one, two, cold].map((app) =>
          eventually(
            () => app.get(`/${link.code}`),
            ({ headers }) => headers.location === row?.url,
            1_000,
          ),
        ),
      )
      // Redis too, and not only MySQL, has it.
      const inRedis = await cold.answered('redirect', 'redis')
      await eventually(
        async () => {
          for (const app of [one, two, cold]) expect((await app.get(`/${link.code}`)).headers.location).toBe(row?.url)
          return cold.answered('redirect', 'redis')
        },
        (count) => count > inRedis,
      )
      for (const { wrong } of await Promise.all(readers.map((reader) => reader.stop()))) expect(wrong).toEqual([])
    }
    await cold.stop()
  })

  test('64 creators racing over two processes never get one code twice, and none is turned away', async () => {
    const url = destination()
    const racing = Array.from({ length: 64 }, (_, i) => [
      (i % 2 ? one : two).create({ url }),
      (i % 2 ? one : two).create({ url: destination() }),
    ])
    const links = await Promise.all(racing.flat())
    expect(new Set(links.map(({ code }) => code)).size).toBe(128)
    expect(new Set(links.map(({ manageToken }) => manageToken)).size).toBe(128)
    for (const link of links) expect((await one.get(`/${link.code}`)).headers.location).toBe(link.url)
  })

  test('one custom code asked for in two processes at once is given once', async () => {
    for (let round = 0; round < 5; round++) {
      const code = unknownCode()
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => (i % 2 ? one : two).api('POST', '/links', { url: destination(), code })),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)])
      const url = JSON.parse(answers.find(({ status }) => status === 201)?.body ?? '').url
      for (const app of [one, two]) expect((await app.get(`/${code}`)).headers.location).toBe(url)
    }
  })
})

describe('other shapes', () => {
  /** Ended by the test of SIGTERM. */
  let strict: App

  beforeAll(async () => {
    strict = await App.start({ ...env, CODE_REUSE_AFTER: 'never' })
  })

  test('WEB_CONCURRENCY=2 serves, and a killed worker is replaced', async () => {
    const app = await App.start({ ...env, WEB_CONCURRENCY: '2' })
    const link = await app.create({ url: destination() })
    for (let i = 0; i < 10; i++) expect((await app.get(`/${link.code}`)).status).toBe(302)
    const workers = () =>
      execFileSync('pgrep', ['-P', String(app.child.pid)], { encoding: 'utf8' })
        .trim()
        .split('\n')
    const before = workers()
    const [victim, survivor] = before
    expect(before).toHaveLength(2)
    process.kill(Number(victim), 'SIGKILL')
    await eventually(
      () => app.log,
      (log) => log.includes('starting another'),
    )
    // With one of two gone the other serves.
    const asked = watch(
      () => app.get(`/${link.code}`),
      ({ status }) => status === 302,
    )
    await eventually(workers, (pids) => pids.length === 2 && !pids.includes(victim ?? '') && pids.includes(survivor ?? ''))
    await eventually(
      () => asked.asked,
      (times) => times > 100,
    )
    expect((await asked.stop()).wrong).toEqual([])
    const edited = destination()
    await app.manage('PATCH', link, { url: edited })
    await eventually(
      async () =>
        (await Promise.all(Array.from({ length: 10 }, () => app.get(`/${link.code}`)))).map(({ headers }) => headers.location),
      (locations) => locations.every((location) => location === edited),
      1_000,
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

  test('CODE_REUSE_AFTER=0 frees a deleted code at once', async () => {
    const hasty = await App.start({ ...env, CODE_REUSE_AFTER: '0' })
    const link = await hasty.create({ url: 'https://example.com/old', code: 'again' })
    await hasty.manage('DELETE', link)
    expect((await hasty.get('/again')).status).toBe(404)
    await hasty.create({ url: 'https://example.com/new', code: 'again' })
    expect((await hasty.get('/again')).headers.location).toBe('https://example.com/new')
    expect((await hasty.manage('POST', link, undefined, '/restore')).status).toBe(409)
    await hasty.stop()
  })

  test('CODE_REUSE_AFTER=never frees no deleted code', async () => {
    const kept = await strict.create({ url: 'https://example.com/kept', code: 'once' })
    await strict.manage('DELETE', kept)
    expect((await strict.get('/once')).status).toBe(410)
    expect((await strict.api('POST', '/links', { url: 'https://example.com/', code: 'once' })).status).toBe(409)
  })

  test.each([1, 3])('SIGTERM drops no request that was sent before, but not yet read: %i processes', async (processes) => {
    const held = await App.start({ ...env, WEB_CONCURRENCY: String(processes) })
    // It then finds what clients have sent and the signal at the same time.
    held.child.kill('SIGSTOP')
    const requests = Array.from({ length: 300 }, () =>
      sendTo(held.port, 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
    )
    await Promise.all(requests.map(({ sent }) => sent))
    const stopped = held.stop()
    held.child.kill('SIGCONT')
    for (const { answer } of requests) expect(await answer).toMatch(/^HTTP\/1\.1 200/)
    expect(await stopped).toBe(0)
  })

  test('SIGTERM lets a request under way end, then exits 0', async () => {
    const body = JSON.stringify({ url: 'https://example.com/slow' })
    const answer = new Promise<string>((resolve, reject) => {
      const socket = connect(strict.port, '127.0.0.1', () => {
        socket.write(
          `POST /api/v1/links HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
        )
        socket.write(body.slice(0, 10), () => {
          const stopped = strict.stop()
          // Once no new connection is taken, the rest of the body follows.
          eventually(
            () =>
              strict.get('/healthz').then(
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
    expect(await strict.stop()).toBe(0)
  })
})

/** A request as it is: `sent` once the system has it, `answer` all that came until the connection was closed. */
function sendTo(port: number, text: string): { sent: Promise<void>; answer: Promise<string> } {
  const socket = connect(port, '127.0.0.1')
  const answer = new Promise<string>((resolve) => {
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk.toString()
    })
    socket.on('error', (error) => resolve(error.message))
    socket.on('close', () => resolve(received))
  })
  return { sent: new Promise((resolve) => socket.write(text, () => resolve())), answer }
}
