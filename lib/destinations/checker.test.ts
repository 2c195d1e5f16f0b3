import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTls } from 'node:https'
import { type AddressInfo, createServer as createSilent } from 'node:net'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { tellHealth } from '@/lib/accounts/tell-health'
import { nextId } from '@/lib/db/id'
import { eventBits } from '@/lib/events/kinds'
import { Listeners } from '@/lib/events/listeners'
import { createLink } from '@/lib/links/create'
import { listLinks } from '@/lib/links/list'
import { CreateLink, ListLinks, UpdateLink } from '@/lib/links/schemas'
import { updateLink } from '@/lib/links/update'
import { parseRanges } from '@/lib/net/address'
import { Outbound, type OutboundRequest } from '@/lib/net/outbound'
import { keepAccount } from '@/lib/testing/accounts'
import { atEnd } from '@/lib/testing/cleanup'
import { openGateway } from '@/lib/testing/counting'
import { testDatabase } from '@/lib/testing/database'
import { eventually } from '@/lib/testing/eventually'
import { HOST, SILENT } from '@/lib/testing/links'
import { Receiver } from '@/lib/testing/receiver'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { testCertificates } from '@/lib/testing/tls'
import { DAY } from '@/lib/tools/time'
import { HealthChecker } from './checker'
import { healthOf, healthSetting, setHealth } from './health'

const asked: string[] = []
let [running, most] = [0, 0]
/** A page that was gone is there again. */
let isBack = false
const server = createServer((request, response) => {
  const { url = '' } = request
  asked.push(url)
  running += 1
  most = Math.max(most, running)
  response.on('close', () => {
    running -= 1
  })
  if (url.startsWith('/to-refused')) return void response.writeHead(302, { Location: '/refused' }).end()
  if (url.startsWith('/gone-for-a-while') && isBack) return void response.writeHead(204).end()
  if (url.startsWith('/gone')) return void response.writeHead(404).end()
  if (url.startsWith('/forbidden')) return void response.writeHead(403).end()
  if (url.startsWith('/loop')) return void response.writeHead(302, { Location: url }).end()
  if (url.startsWith('/drip')) {
    response.writeHead(200, { 'Content-Type': 'text/html' })
    const timer = setInterval(() => response.write('x'), 20)
    return void response.on('close', () => clearInterval(timer))
  }
  if (url.startsWith('/endless')) {
    response.writeHead(200, { 'Content-Type': 'text/html' })
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    }
    response.on('drain', more)
    return more()
  }
  response.writeHead(200, { 'Content-Type': 'text/html' }).end('<title>fine</title>')
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
atEnd(() => {
  server.closeAllConnections()
  server.close()
})
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url, FETCH_ALLOW: '127.0.0.0/8' })
const gateway = openGateway(url)
const outbound = new Outbound(parseRanges(['127.0.0.0/8']))
const told: string[] = []
const checkerOf = (asking = outbound) =>
  new HealthChecker(
    {
      ...{ db: ctx.db, outbound: asking, threats: ctx.blocklist.threats, log: SILENT, agent: 'Terse link check' },
      ...{ listeners: new Listeners(), allows: (href: string) => !href.includes('/refused') },
      tell: async (ownerId) => void told.push(ownerId),
    },
    0,
  )
const checker = checkerOf()
const [alice, bob] = [owner('alice'), owner('bob')]

beforeAll(async () => {
  // It would take turns too, and may not ask this machine.
  ctx.health.close()
  await settled(ctx)
  await keepAccount(gateway, 'alice')
  await keepAccount(gateway, 'bob')
})
beforeEach(async () => {
  asked.length = 0
  told.length = 0
  most = 0
  for (const table of ['Link', 'LinkHealth', 'HealthAccount']) await connection.query(`DELETE FROM ${table}`)
  await connection.query('UPDATE HealthPace SET nextAt = UTC_TIMESTAMP(3)')
})

const make = async (path: string, by = alice) => (await createLink(ctx, by, CreateLink.parse({ url: `${origin}${path}` }))).link
const free = () => connection.query('UPDATE HealthPace SET nextAt = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND')
/** Everything that was found was found a day earlier. */
const dayLater = async () => {
  await connection.query('UPDATE LinkHealth SET since = since - INTERVAL 1 DAY, dueAt = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND')
  await connection.query('UPDATE HealthAccount SET dueAt = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND')
  await free()
}
const stateOf = async (id: bigint) => (await healthOf(ctx, 'alice', [id])).get(id)

describe('destinations', () => {
  it('are checked of accounts that want it, and of no other; what is found changes nothing of the link', async () => {
    const [fine, gone, forbidden] = [await make('/fine'), await make('/gone'), await make('/forbidden')]
    await make('/of-bob', bob)
    expect(await checker.takeTurn()).toBe(false)
    await setHealth(ctx, 'alice', true)
    await checker.takeTurn()
    expect(asked.sort()).toEqual(['/fine', '/forbidden', '/gone'])
    expect(await stateOf(gone.id)).toBeUndefined()
    await dayLater()
    await checker.takeTurn()
    await dayLater()
    await checker.takeTurn()
    // What is well is not asked again before the next round.
    expect(asked.filter((path) => path !== '/gone')).toEqual(['/fine', '/forbidden'])
    expect(await stateOf(gone.id)).toMatchObject({ state: 'dead', reason: 'status', status: 404 })
    for (const { id } of [fine, forbidden]) expect(await stateOf(id)).toBeUndefined()
    expect(await healthSetting(ctx, 'alice')).toEqual({ enabled: true, unwell: 1 })
    const row = await ctx.db.read((client) => client.link.findUniqueOrThrow({ where: { id: gone.id } }))
    expect(row).toMatchObject({ state: 'active', url: gone.url, version: gone.version })
    const listed = async (health: 'any' | 'dead' | 'threat') =>
      (await listLinks(ctx, { ownerId: 'alice', isOwn: true }, ListLinks.parse({ health }))).links.map(({ id }) => id)
    expect(await listed('any')).toEqual([gone.id])
    expect(await listed('dead')).toEqual([gone.id])
    expect(await listed('threat')).toEqual([])
    // Of another destination nothing is known.
    await updateLink(ctx, alice, { code: gone.code, domain: HOST }, UpdateLink.parse({ url: `${origin}/fine` }))
    expect(await stateOf(gone.id)).toBeUndefined()
    expect(await listed('any')).toEqual([])
    expect(await setHealth(ctx, 'alice', false)).toEqual({ enabled: false, unwell: 0 })
    expect(await connection.query('SELECT * FROM LinkHealth')).toEqual([])
  })

  it('are checked once, however many processes there are, two a second at most, and from where a process died', async () => {
    for (let n = 0; n < 45; n++) await make(`/page${n}`)
    await setHealth(ctx, 'alice', true)
    const processes = [checker, checkerOf(), checkerOf()]
    await Promise.all(processes.map((one) => one.takeTurn()))
    // One turn; the next comes 10 s later.
    expect(asked).toHaveLength(20)
    await Promise.all(processes.map((one) => one.takeTurn()))
    expect(asked).toHaveLength(20)
    await free()
    // A process that died has the account still.
    await connection.query('UPDATE HealthAccount SET leaseUntil = UTC_TIMESTAMP(3) + INTERVAL 1 MINUTE')
    await checker.takeTurn()
    expect(asked).toHaveLength(20)
    await connection.query('UPDATE HealthAccount SET leaseUntil = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND')
    for (let turn = 0; turn < 2; turn++) {
      await free()
      await checker.takeTurn()
    }
    expect(asked).toHaveLength(45)
    expect(new Set(asked).size).toBe(45)
    await free()
    expect(await checker.takeTurn()).toBe(false)
    expect(told).toEqual(['alice'])
  })

  it('are checked though the clock was set back since a lease, and the pace, were written', async () => {
    await make('/clock')
    await setHealth(ctx, 'alice', true)
    await connection.query('UPDATE HealthAccount SET leaseUntil = UTC_TIMESTAMP(3) + INTERVAL 1 HOUR')
    await connection.query('UPDATE HealthPace SET nextAt = UTC_TIMESTAMP(3) + INTERVAL 1 HOUR')
    expect(await checker.takeTurn()).toBe(true)
    expect(asked).toHaveLength(1)
  })

  it('of one host are asked one after another, and those of one address once', async () => {
    for (let n = 0; n < 6; n++) await make(`/host${n}`)
    for (let n = 0; n < 3; n++) await make('/same')
    await setHealth(ctx, 'alice', true)
    await checker.takeTurn()
    expect(asked).toHaveLength(7)
    expect(most).toBe(1)
  })

  it('that drip, loop or never end hold up no other, and a host that is not there is asked once a turn', async () => {
    const broken = await Promise.all(['/loop', '/endless'].map((path) => make(path)))
    const dripping = (
      await createLink(ctx, alice, CreateLink.parse({ url: `${origin.replace('127.0.0.1', '127.0.0.2')}/nobody` }))
    ).link
    const closed = createServer()
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    const refused = (await createLink(ctx, alice, CreateLink.parse({ url: `http://127.0.0.1:${port}/` }))).link
    await setHealth(ctx, 'alice', true)
    const begun = performance.now()
    await checker.takeTurn()
    expect(performance.now() - begun).toBeLessThan(15_000)
    const rows = await connection.query<{ linkId: bigint; reason: string }[]>('SELECT linkId, reason FROM LinkHealth')
    const reasons = new Map(rows.map(({ linkId, reason }) => [BigInt(linkId), reason]))
    expect(reasons.get(broken[0]?.id ?? 0n)).toBe('redirects')
    expect(reasons.get(broken[1]?.id ?? 0n)).toBeUndefined()
    expect(reasons.get(refused.id)).toBe('connection')
    expect(reasons.get(dripping.id)).toBe('connection')
  }, 30_000)

  it('that are silent end the turn of their account, and are asked in its next ones, after all others', async () => {
    const reached = new Set<string>()
    const silent = createSilent((socket) => {
      reached.add(socket.localAddress ?? '')
      socket.on('error', () => {})
    })
    await new Promise<void>((resolve) => silent.listen(0, '0.0.0.0', resolve))
    atEnd(() => void silent.close())
    const { port } = silent.address() as AddressInfo
    for (let n = 1; n <= 12; n++) await createLink(ctx, alice, CreateLink.parse({ url: `http://127.0.6.${n}:${port}/` }))
    await make('/waits', bob)
    await setHealth(ctx, 'alice', true)
    await setHealth(ctx, 'bob', true)
    await connection.query("UPDATE HealthAccount SET dueAt = dueAt - INTERVAL 1 MINUTE WHERE ownerId = 'alice'")
    await checker.takeTurn()
    // Five at once.
    expect(reached.size).toBe(5)
    expect(asked).toEqual([])
    await free()
    await checker.takeTurn()
    expect(asked).toEqual(['/waits'])
    await free()
    await checker.takeTurn()
    expect(reached.size).toBe(10)
    const rows = await connection.query<{ reason: string }[]>('SELECT reason FROM LinkHealth')
    expect(rows.map(({ reason }) => reason)).toEqual(Array(10).fill('timeout'))
  }, 40_000)

  it('that are asked for ever give their place back, and the account its turn', async () => {
    const stuck = new (class extends Outbound {
      override fetch(url: URL, request: OutboundRequest) {
        return url.pathname === '/never' ? new Promise<never>(() => {}) : super.fetch(url, request)
      }
    })(parseRanges(['127.0.0.0/8']))
    await make('/never')
    const gone = await make('/gone')
    await setHealth(ctx, 'alice', true)
    expect(await checkerOf(stuck).takeTurn()).toBe(true)
    // Of one host, one after the other.
    expect(asked).toEqual(['/gone'])
    const rows = await connection.query<{ linkId: bigint }[]>('SELECT linkId FROM LinkHealth')
    expect(rows.map(({ linkId }) => BigInt(linkId))).toEqual([gone.id])
    const [account] = await connection.query<{ leaseUntil: Date | null }[]>('SELECT leaseUntil FROM HealthAccount')
    expect(account?.leaseUntil).toBeNull()
  })

  it('whose certificate is not trusted are found by that', async () => {
    const { own } = await testCertificates()
    const tls = createTls({ key: readFileSync(own.key), cert: readFileSync(own.cert) }, (_, response) => response.end('secret'))
    await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve))
    const { port } = tls.address() as AddressInfo
    const link = (await createLink(ctx, alice, CreateLink.parse({ url: `https://127.0.0.1:${port}/` }))).link
    await setHealth(ctx, 'alice', true)
    await checker.takeTurn()
    tls.close()
    const [row] = await connection.query<{ reason: string }[]>('SELECT reason FROM LinkHealth WHERE linkId = ?', [link.id])
    expect(row?.reason).toBe('certificate')
  })

  it('of rules, splits and an end are checked as the link’s own is, and it is said which one is dead', async () => {
    const rules = [{ when: [{ of: 'os', in: ['iOS'] }], url: `${origin}/gone-for-ios` }]
    const fields = { url: `${origin}/fine`, routing: { rules }, expiresAt: new Date(Date.now() + DAY).toISOString() }
    const input = CreateLink.parse({ ...fields, expiredUrl: `${origin}/after` })
    const { link } = await createLink(ctx, alice, input)
    await setHealth(ctx, 'alice', true)
    await checker.takeTurn()
    expect(asked.sort()).toEqual(['/after', '/fine', '/gone-for-ios'])
    for (let day = 0; day < 2; day++) {
      await dayLater()
      await checker.takeTurn()
    }
    expect(await stateOf(link.id)).toMatchObject({ state: 'dead', destination: `${origin}/gone-for-ios` })
    const any = () => listLinks(ctx, { ownerId: 'alice', isOwn: true }, ListLinks.parse({ health: 'any' }))
    expect((await any()).links.map(({ id }) => id)).toEqual([link.id])
    // It leads there no longer, so nothing is known of it.
    await updateLink(ctx, alice, { code: link.code, domain: HOST }, UpdateLink.parse({ routing: null }))
    expect(await stateOf(link.id)).toBeUndefined()
    expect((await any()).links).toEqual([])
    await dayLater()
    await checker.takeTurn()
    expect(await connection.query('SELECT * FROM LinkHealth')).toEqual([])
  })

  it('of a link with many are asked 20 at a time, others in each round, and no turn asks many more', async () => {
    const urls = Array.from({ length: 50 }, (_, n) => `${origin}/rule${n}`)
    const rules = urls.map((url, n) => ({ when: [{ of: 'query', name: `q${n}` }], url }))
    await createLink(ctx, alice, CreateLink.parse({ url: `${origin}/own`, routing: { rules } }))
    const small = await Promise.all(Array.from({ length: 3 }, (_, n) => make(`/small${n}`)))
    const many = Array.from({ length: 18 }, (_, n) => ({ when: [{ of: 'query', name: `q${n}` }], url: `${origin}/other${n}` }))
    await createLink(ctx, alice, CreateLink.parse({ url: `${origin}/second`, routing: { rules: many } }))
    await setHealth(ctx, 'alice', true)
    await checker.takeTurn()
    expect(asked).toHaveLength(20 + small.length)
    expect(asked).toContain('/own')
    await free()
    await checker.takeTurn()
    expect(asked).toHaveLength(20 + small.length + 19)
  })

  it('that redirect to where no link may lead are not followed, and nothing is said of them', async () => {
    const link = await make('/to-refused')
    await setHealth(ctx, 'alice', true)
    await checker.takeTurn()
    expect(asked).toEqual(['/to-refused'])
    expect(await stateOf(link.id)).toBeUndefined()
    expect(await connection.query('SELECT * FROM LinkHealth')).toEqual([])
  })

  it('are told to webhooks when they are found dead and when they are well again, and not between', async () => {
    const receiver = await Receiver.open()
    const kinds = eventBits(['link.health_changed'])
    const webhook = { id: nextId(), ownerId: 'alice', url: receiver.url, events: kinds, createdAt: new Date() }
    await gateway.client.webhook.createMany({ data: [webhook] })
    const telling = checkerOf()
    const link = await make('/gone-for-a-while')
    await make('/fine')
    await setHealth(ctx, 'alice', true)
    await telling.takeTurn()
    for (let day = 0; day < 3; day++) {
      await dayLater()
      await telling.takeTurn()
    }
    isBack = true
    await dayLater()
    await telling.takeTurn()
    isBack = false
    await eventually(() => expect(receiver.of('link.health_changed')).toHaveLength(2))
    const bodies = receiver.of('link.health_changed').map(({ body }) => body.data)
    const dead = { state: 'dead', reason: 'status', status: 404, destination: link.url }
    expect(bodies).toContainEqual({
      link: expect.objectContaining({ id: link.id.toString() }),
      health: expect.objectContaining(dead),
    })
    expect(bodies).toContainEqual({ link: expect.objectContaining({ id: link.id.toString() }), health: null })
    await connection.query('DELETE FROM Webhook')
  })

  it('in private networks are not asked, and nothing is said of them', async () => {
    const link = await make('/fine')
    await connection.query("UPDATE Link SET url = 'http://10.0.0.1/' WHERE id = ?", [link.id])
    await setHealth(ctx, 'alice', true)
    await checker.takeTurn()
    expect(await connection.query('SELECT * FROM LinkHealth')).toEqual([])
  })
})

describe('one mail', () => {
  it('tells of all that was found since the last, each link once, at most once a day', async () => {
    const sent: { to: string; text: string; subject: string }[] = []
    const mailer = { enabled: true, send: async (mail: (typeof sent)[number]) => Boolean(sent.push(mail)) }
    const tell = tellHealth({ ...ctx, mailer } as unknown as Parameters<typeof tellHealth>[0])
    await setHealth(ctx, 'alice', true)
    for (let n = 0; n < 3; n++) {
      const { id, urlHash } = await make(`/gone${n}`)
      await connection.query(
        "INSERT INTO LinkHealth VALUES (?, 'alice', ?, ?, 'status', 404, 3, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3), UTC_TIMESTAMP(3), FALSE, NULL)",
        [id, urlHash, n === 0 ? 0 : n],
      )
    }
    await Promise.all([tell('alice'), tell('alice')])
    expect(sent).toHaveLength(1)
    expect(sent[0]?.subject).toBe('2 destinations of your links need a look')
    expect(sent[0]?.text).toContain('It looks like a page of a name that’s for sale.')
    await connection.query('UPDATE HealthAccount SET toldAt = UTC_TIMESTAMP(3) - INTERVAL 2 DAY')
    await tell('alice')
    expect(sent).toHaveLength(1)
  })
})
