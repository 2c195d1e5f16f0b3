import { beforeAll, describe, expect, it, vi } from 'vitest'
import { nextId } from '@/lib/db/id'
import { eventBits } from '@/lib/events/kinds'
import { FEWEST_VISITORS } from '@/lib/routing/split-winner'
import { keepAccount } from '@/lib/testing/accounts'
import { keepClicks, type TestClick } from '@/lib/testing/clicks'
import { openGateway } from '@/lib/testing/counting'
import { createLinks } from '@/lib/testing/create-links'
import { testDatabase } from '@/lib/testing/database'
import { eventually } from '@/lib/testing/eventually'
import { HOST, linkRow } from '@/lib/testing/links'
import { Receiver } from '@/lib/testing/receiver'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { DAY, HOUR, MINUTE } from '@/lib/tools/time'
import { createLink } from './create'
import { deleteLink } from './delete'
import { insertLinks } from './insert'
import { restoreLink } from './restore'
import { CreateLink } from './schemas'
import { SplitEnds } from './split-ends'
import { updateLink } from './update'
import { toView } from './view'

const { url, connection } = await testDatabase()
const server = await testRedis()
const receiver = await Receiver.open()
const gateway = openGateway(url)
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: server.url, FETCH_ALLOW: '127.0.0.0/8' })
const splitEnds = new SplitEnds(ctx)
const alice = owner('alice')

beforeAll(async () => {
  await settled(ctx)
  await keepAccount(gateway, 'alice')
  const hook = { id: nextId(), ownerId: 'alice', url: receiver.url, events: eventBits(['link.changed']), createdAt: new Date() }
  await gateway.client.webhook.createMany({ data: [hook] })
  await eventually(async () => {
    const hears = await ctx.listeners.hears('link.changed', 'alice', (sql, values) => ctx.db.rows(sql, ...values))
    expect(hears).toBe(true)
  })
})

const [A, B] = ['https://a.example/', 'https://b.example/'] as const
const END = Date.now() + HOUR
const LATER = END + 1
const splitUntil = (end: number) => ({
  split: {
    variants: [
      { url: A, weight: 90 },
      { url: B, weight: 10 },
    ],
    endsAt: new Date(end).toISOString(),
  },
})
const bodyOf = (end = END) => CreateLink.parse({ url: 'https://example.com/all', routing: splitUntil(end) })
const make = async (end?: number) => (await createLink(ctx, alice, bodyOf(end))).link
/** So many visitors of a destination, each of whom came so often. */
const visits = (destination: string, visitors: number, times: number): TestClick[] =>
  Array.from({ length: visitors * times }, (_, i) => ({
    at: Date.now() - HOUR + i,
    visitor: (destination === A ? 0 : 100_000) + (i % visitors),
    destination,
  }))
const stored = async (id: bigint) => {
  const link = await ctx.db.client.link.findUniqueOrThrow({ where: { id } })
  return { link, split: toView(link, ctx.domains).routing?.split }
}
const noted = async (id: bigint) =>
  (await connection.query<{ dueAt: Date }[]>('SELECT dueAt FROM SplitEnd WHERE linkId = ?', [id])).length
const audits = (full: string) =>
  connection.query<{ details: string }[]>("SELECT details FROM AuditEntry WHERE action = 'link.end-split' AND target = ?", [full])

/** Runs `work` while hosts are blocked. */
async function blocking(hosts: readonly string[], work: () => Promise<void>): Promise<void> {
  const rules = hosts.map((value) => ({ id: nextId(), kind: 'host', value, createdBy: 'admin', createdAt: new Date() }))
  await gateway.client.blockRule.createMany({ data: rules })
  await ctx.blocklist.refresh()
  try {
    await work()
  } finally {
    await gateway.client.blockRule.deleteMany({ where: { id: { in: rules.map(({ id }) => id) } } })
    await ctx.blocklist.refresh()
  }
}

describe('a split whose end has come', () => {
  it('goes on with the destination that has more clicks per visitor, for every process, and says so', async () => {
    const link = await make()
    await keepClicks(connection, link.id, [...visits(A, 90, 1), ...visits(B, FEWEST_VISITORS, 2)])
    await splitEnds.settleDue(END - 1)
    expect((await stored(link.id)).split?.winner).toBeUndefined()
    expect(await noted(link.id)).toBe(1)

    await splitEnds.settleDue(LATER)
    const { link: after, split } = await stored(link.id)
    expect(split).toEqual({ ...splitUntil(END).split, winner: B })
    expect(after.version).toBe(link.version + 1n)
    expect(await noted(link.id)).toBe(0)
    const { entry } = await ctx.lookup.find(link.fullShortUrl)
    expect(entry.record).toMatchObject({ routing: { fields: { split: { winner: B } } } })
    const [audit] = await audits(link.fullShortUrl)
    expect(JSON.parse(audit?.details ?? '')).toEqual({
      winner: B,
      outcomes: {
        [A]: { clicks: 90, visitors: 90, converted: 0 },
        [B]: { clicks: 2 * FEWEST_VISITORS, visitors: FEWEST_VISITORS, converted: 0 },
      },
    })
    const told = await eventually(() => {
      const hook = receiver.of('link.changed').find(({ body }) => body.data.link.code === link.code)
      if (!hook) throw new Error('not told yet')
      return hook
    })
    expect(told.body.data).toMatchObject({ changed: ['routing'], link: { routing: { split: { winner: B } } } })
  })

  it('is decided by the database’s clock: one process that is ahead decides nothing', async () => {
    const link = await make()
    vi.useFakeTimers({ toFake: ['Date'], now: LATER })
    try {
      await splitEnds.settleDue()
    } finally {
      vi.useRealTimers()
    }
    expect((await stored(link.id)).split?.winner).toBeUndefined()
    expect(await noted(link.id)).toBe(1)
  })

  it('goes on with the first where nobody came, or too few to tell', async () => {
    const [nobody, few] = [await make(), await make()]
    await keepClicks(connection, few.id, visits(B, FEWEST_VISITORS - 1, 3))
    await splitEnds.settleDue(LATER)
    for (const { id } of [nobody, few]) expect((await stored(id)).split?.winner).toBe(A)
  })

  it('is decided once, by however many processes', async () => {
    const links = await Promise.all(Array.from({ length: 12 }, () => make()))
    const all = [splitEnds, ...Array.from({ length: 4 }, () => new SplitEnds(ctx))]
    await Promise.all(all.map((one) => one.settleDue(LATER)))
    for (const { id, version, fullShortUrl } of links) {
      expect((await stored(id)).link.version).toBe(version + 1n)
      expect(await audits(fullShortUrl)).toHaveLength(1)
      expect(await noted(id)).toBe(0)
    }
  })

  it('is found again where a process died after it had decided, and is not decided anew', async () => {
    const link = await make()
    await splitEnds.settleDue(LATER)
    await connection.query('INSERT INTO SplitEnd (linkId, dueAt) VALUES (?, ?)', [link.id, '2026-01-01 00:00:00'])
    await splitEnds.settleDue(LATER)
    expect((await stored(link.id)).link.version).toBe(link.version + 1n)
    expect(await noted(link.id)).toBe(0)
  })

  it('goes on with the best that is allowed, and its owner can edit it again', async () => {
    const link = await make()
    await keepClicks(connection, link.id, [...visits(A, 90, 1), ...visits(B, FEWEST_VISITORS, 2)])
    await blocking(['b.example'], async () => {
      await splitEnds.settleDue(LATER)
      expect((await stored(link.id)).split?.winner).toBe(A)
      expect(await noted(link.id)).toBe(0)
      expect((await updateLink(ctx, alice, { code: link.code }, { title: 'goes on' })).title).toBe('goes on')
      const back = { routing: { split: splitUntil(END).split } }
      await expect(updateLink(ctx, alice, { code: link.code }, back)).rejects.toMatchObject({
        code: 'validation_failed',
        errors: [{ path: 'routing.split.variants.1.url' }],
      })
    })
  })

  it('is tried ever less where none is allowed, and decided once one is', async () => {
    const link = await make()
    const due = async () =>
      (await connection.query<{ dueAt: Date }[]>('SELECT dueAt FROM SplitEnd WHERE linkId = ?', [link.id]))[0]?.dueAt.getTime() ??
      0
    const waits: number[] = []
    let now = LATER
    await blocking(['a.example', 'b.example'], async () => {
      for (let i = 0; i < 14; i++) {
        await splitEnds.settleDue(now)
        waits.push((await due()) - now)
        now = await due()
      }
    })
    expect(waits.slice(0, 3).map((wait) => Math.round(wait / HOUR))).toEqual([1, 1, 2])
    expect(waits.at(-1)).toBe(30 * DAY)
    expect((await stored(link.id)).link.version).toBe(link.version)
    await splitEnds.settleDue(now)
    expect((await stored(link.id)).split?.winner).toBe(A)
    expect(await noted(link.id)).toBe(0)
  })

  it('does not wait for one that cannot be decided', async () => {
    const routing = JSON.stringify({ split: { variants: [], endsAt: new Date(END - MINUTE).toISOString() } })
    const broken = linkRow({ routing })
    await insertLinks(ctx.db.client, [broken])
    await connection.query('INSERT INTO SplitEnd (linkId, dueAt) VALUES (?, ?)', [broken.id, '2026-01-01 00:00:00'])
    const link = await make()
    await splitEnds.settleDue(LATER)
    expect((await stored(link.id)).split?.winner).toBe(A)
    expect(await noted(broken.id)).toBe(1)
  })
})

describe('the end of a split', () => {
  it('can be moved, and taken away', async () => {
    const [moved, endless] = [await make(), await make()]
    const later = END + DAY
    await updateLink(ctx, alice, { code: moved.code }, { routing: splitUntil(later) })
    await updateLink(ctx, alice, { code: endless.code }, { routing: { split: { variants: splitUntil(END).split.variants } } })
    await splitEnds.settleDue(LATER)
    for (const { id } of [moved, endless]) expect((await stored(id)).split?.winner).toBeUndefined()
    expect([await noted(moved.id), await noted(endless.id)]).toEqual([1, 0])
    await splitEnds.settleDue(later + 1)
    expect((await stored(moved.id)).split?.winner).toBe(A)
  })

  it('comes for a link that was deleted and restored, and not for one that is gone', async () => {
    const [restored, gone] = [await make(), await make()]
    for (const { code } of [restored, gone]) await deleteLink(ctx, alice, { code })
    // An hour after they were created, when what has no link is given up.
    await splitEnds.settleDue(LATER + HOUR)
    expect([await noted(restored.id), await noted(gone.id)]).toEqual([0, 0])
    await restoreLink(ctx, alice, { code: restored.code })
    await splitEnds.settleDue(LATER)
    expect((await stored(restored.id)).split?.winner).toBe(A)
  })

  it('is kept of a link that is being created while its end comes', async () => {
    const id = nextId()
    await connection.query('INSERT INTO SplitEnd (linkId, dueAt) VALUES (?, ?)', [id, '2026-01-01 00:00:00'])
    await splitEnds.settleDue()
    expect(await noted(id)).toBe(1)
    await insertLinks(ctx.db.client, [linkRow({ id, routing: JSON.stringify(splitUntil(Date.now() - 1)) })])
    await splitEnds.settleDue(Date.now() + 2 * MINUTE)
    expect((await stored(id)).split?.winner).toBe(A)
  })

  it('comes for links that are created many at a time', async () => {
    const many = await createLinks(ctx, alice, [bodyOf(), bodyOf(), bodyOf()])
    await splitEnds.settleDue(LATER)
    for (const { link } of many) expect((await stored(link.id)).split?.winner).toBe(A)
  })

  it('that has come is not asked for again where the owner names a winner', async () => {
    const { split } = splitUntil(END)
    const body = CreateLink.parse({ url: 'https://example.com/', routing: { split: { ...split, winner: B } } })
    const { link } = await createLink(ctx, alice, body)
    expect(link.fullShortUrl.startsWith(HOST)).toBe(true)
    expect(await noted(link.id)).toBe(0)
    expect((await stored(link.id)).split?.winner).toBe(B)
  })
})
