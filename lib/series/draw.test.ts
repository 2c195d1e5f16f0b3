import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { NOW } from '@/lib/db/time'
import { idempotencyOf } from '@/lib/links/idempotency'
import { keepAccount } from '@/lib/testing/accounts'
import { openGateway } from '@/lib/testing/counting'
import { testDatabase } from '@/lib/testing/database'
import { copyOf, openRedis, testRedis } from '@/lib/testing/redis'
import { SECRET, testRuntime } from '@/lib/testing/runtime'
import { utcDay } from '@/lib/tools/time'
import { validate } from '@/lib/tools/validate'
import { drawNumbers, previewSeries } from './draw'
import { Engines } from './engines'
import { CreateSeries } from './schemas'
import { createSeries, deleteSeries } from './store'
import { SeriesSweeper } from './sweep'

const { url } = await testDatabase()
const server = await testRedis()
const redis = await openRedis(server.url)
/** How far the database's clock is ahead of what it is, in ms. */
const ahead = { ms: 0 }
const db = withClockAhead(openGateway(url, 10))
const runtime = await testRuntime({ DATABASE_URL: url, REDIS_URL: server.url })
/** Another process, on a Redis that answers however busy the machine is. */
const process = () => ({ ...runtime, db, series: new Engines({ redis, db, secret: SECRET }) })
const ctx = process()
const alice = { id: 'alice' }
beforeAll(() => keepAccount(runtime.db, 'alice'))

/** The same database, by a clock that is ahead. */
function withClockAhead(gateway: DatabaseGateway): DatabaseGateway {
  const rows = async (sql: string, ...values: unknown[]) => {
    const found = await gateway.rows<{ now?: Date }>(sql, ...values)
    return sql === `SELECT ${NOW} AS now` ? found.map(({ now }) => ({ now: new Date(Number(now) + ahead.ms) })) : found
  }
  return new Proxy(gateway, {
    get: (target, name) => {
      const value: unknown = name === 'rows' ? rows : Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

let serial = 0
async function newSeries(definition: object): Promise<string> {
  const name = `series-${++serial}`
  await createSeries(ctx, alice, validate(CreateSeries, { name, ...definition }))
  return name
}
const draw = async (name: string, count: number, from = ctx) => (await drawNumbers(from, alice, name, count, null)).numbers
const DAILY = { date: 'yyMMdd' }
const DAY = utcDay(new Date()).slice(2)

const KINDS = [
  { kind: 'cycle', start: 0, max: 99_999 },
  { kind: 'counter', format: DAILY },
  { kind: 'shuffled', format: DAILY },
  { kind: 'bitmap', size: 10_000_000_000 },
]

beforeEach(async () => {
  // A test before may have stopped it.
  await vi.waitFor(() => redis.use((client) => client.ping()), { timeout: 10_000, interval: 20 })
  await redis.client.flushall()
})

describe.each(KINDS)('numbers of a series ($kind)', (definition) => {
  const unlike = (...lists: string[][]) => {
    const all = lists.flat()
    expect(new Set(all).size).toBe(all.length)
  }

  it('are never drawn twice, with 16 processes racing', async () => {
    const name = await newSeries(definition)
    const drawn = await Promise.all(
      Array.from({ length: 16 }, async () => {
        const own = process()
        const lists: string[][] = []
        for (let i = 0; i < 5; i++) lists.push(await draw(name, 1 + ((i * 7) % 20), own))
        return lists.flat()
      }),
    )
    unlike(...drawn)
  })

  it('are drawn once each after Redis was flushed', async () => {
    const name = await newSeries(definition)
    const before = await draw(name, 100)
    await redis.client.flushall()
    unlike(before, await draw(name, 100), await draw(name, 100, process()))
  })

  it('are drawn once each after Redis was killed and came back with an old copy', async () => {
    const name = await newSeries(definition)
    const before = await draw(name, 50)
    const restore = await copyOf(server, redis)
    const later = await draw(name, 200)
    await restore()
    unlike(before, later, await draw(name, 20), await draw(name, 20, process()), await draw(name, 100))
  })

  it('are drawn once each after old values were put in place behind its back', async () => {
    const name = await newSeries(definition)
    const before = await draw(name, 50)
    const keys = await redis.client.keys('{series:*')
    const dumps = await Promise.all(keys.map(async (key) => [key, await redis.client.dumpBuffer(key)] as const))
    const later = await draw(name, 200)
    for (const [key, dump] of dumps) await redis.client.restore(key, 0, dump as Buffer, 'REPLACE')
    unlike(before, later, await draw(name, 100), await draw(name, 100))
  })

  it('are drawn without Redis, and Redis is told when it is back', async () => {
    const name = await newSeries(definition)
    const before = await draw(name, 20)
    await server.stop()
    const meanwhile = [...(await draw(name, 30)), ...(await draw(name, 30, process()))]
    await server.start()
    expect(await redis.connected(10_000)).toBe(true)
    unlike(before, meanwhile, await draw(name, 50), await draw(name, 50, process()))
  })

  it('lie in one slot of a Redis Cluster', async () => {
    const name = await newSeries(definition)
    await draw(name, 10)
    const keys = (await redis.client.keys('*')).filter((key) => key.includes('series:'))
    expect(keys.length).toBeGreaterThan(0)
    expect(new Set(keys.map((key) => /^\{(series:\d+)\}/.exec(key)?.[1])).size).toBe(1)
  })

  it('are previewed without being drawn, in the order in which they are then drawn', async () => {
    const name = await newSeries(definition)
    await draw(name, 3)
    const { numbers } = await previewSeries(ctx, alice, name)
    expect(numbers).toHaveLength(10)
    if (definition.kind !== 'bitmap') expect((await previewSeries(process(), alice, name)).numbers).toEqual(numbers)
    // Of a bitmap they are examples.
    if (definition.kind !== 'bitmap') expect(await draw(name, 10)).toEqual(numbers)
  })

  it('are the same for the same request, and no others are drawn for it', async () => {
    const name = await newSeries(definition)
    const key = idempotencyOf(SECRET, `key of ${name}`, alice.id, { series: name, count: 5 })
    const [one, other] = await Promise.all([drawNumbers(ctx, alice, name, 5, key), drawNumbers(process(), alice, name, 5, key)])
    const again = await drawNumbers(ctx, alice, name, 5, key)
    expect(other.numbers).toEqual(one.numbers)
    expect(again).toMatchObject({ numbers: one.numbers, isReplayed: true })
    expect(await db.client.seriesNumber.count({ where: { seriesId: await idOf(name) } })).toBe(5)
    const different = idempotencyOf(SECRET, `key of ${name}`, alice.id, { series: name, count: 6 })
    await expect(drawNumbers(ctx, alice, name, 6, different)).rejects.toMatchObject({ code: 'validation_failed' })
  })

  it('are drawn once for the same request that comes many times at once, though they are the last', async () => {
    const name = await newSeries(definition.kind === 'cycle' ? { ...definition, max: 24 } : definition)
    await draw(name, 20)
    const key = idempotencyOf(SECRET, `at once ${name}`, alice.id, { series: name, count: 5 })
    const paid = vi.spyOn(runtime.limits, 'consumeAll')
    const all = await Promise.all(Array.from({ length: 4 }, () => drawNumbers(process(), alice, name, 5, key)))
    expect(new Set(all.map(({ numbers }) => numbers.join())).size).toBe(1)
    expect(all.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1)
    expect(await db.client.seriesNumber.count({ where: { seriesId: await idOf(name) } })).toBe(25)
    expect(paid.mock.calls).toEqual([['numbers', alice.id, 5]])
    paid.mockRestore()
    // None was taken and thrown away.
    const [next] = await draw(name, 1).catch(() => [undefined])
    if (definition.kind === 'counter') expect(next).toBe(`${DAY}00026`)
    if (definition.kind === 'cycle') expect(next).toBeUndefined()
  })

  it('are none of a former series of the same name, for a request that was answered then', async () => {
    const name = await newSeries(definition)
    const key = idempotencyOf(SECRET, `former ${name}`, alice.id, { series: name, count: 5 })
    await drawNumbers(ctx, alice, name, 5, key)
    await deleteSeries(ctx, alice, name)
    await expect(drawNumbers(ctx, alice, name, 5, key)).rejects.toMatchObject({ code: 'not_found' })
    await createSeries(ctx, alice, validate(CreateSeries, { name, ...definition }))
    await expect(drawNumbers(ctx, alice, name, 5, key)).rejects.toMatchObject({ code: 'validation_failed' })
  })

  it('are drawn by one script, 10,000 of them too', async () => {
    const name = await newSeries(definition)
    await draw(name, 1)
    await draw(name, 1)
    // Beside it, other work of the process asks Redis too.
    await redis.client.config('SET', 'slowlog-log-slower-than', 0)
    await redis.client.config('SET', 'slowlog-max-len', 10_000)
    await redis.client.slowlog('RESET')
    expect(new Set(await draw(name, 10_000)).size).toBe(10_000)
    const seen = (await redis.client.slowlog('GET', 10_000)) as [number, number, number, string[]][]
    await redis.client.config('SET', 'slowlog-log-slower-than', -1)
    // What a script calls is there too.
    const ours = seen.filter(([, , , [command, , , key = '']]) => command === 'evalsha' && key.startsWith('{series:'))
    expect(ours).toHaveLength(1)
  })

  it('are gone with their series, and its name is free at once', async () => {
    const name = await newSeries(definition)
    await draw(name, 10)
    const id = await idOf(name)
    await deleteSeries(ctx, alice, name)
    await expect(draw(name, 1)).rejects.toMatchObject({ code: 'not_found' })
    await createSeries(ctx, alice, validate(CreateSeries, { name, ...definition }))
    await new SeriesSweeper(ctx).sweep()
    expect(await db.client.seriesNumber.count({ where: { seriesId: id } })).toBe(0)
    expect(await db.client.series.count({ where: { id } })).toBe(0)
    expect(await redis.client.keys(`{series:${id}}:*`)).toEqual([])
  })
})

const idOf = async (name: string) =>
  (await db.client.series.findUniqueOrThrow({ where: { ownerId_name: { ownerId: 'alice', name } } })).id

describe('a cycle', () => {
  it('goes from start to max by its step, all or none, and warns before its end', async () => {
    const name = await newSeries({ kind: 'cycle', start: 100, max: 330, step: 10, format: { prefix: 'T', digits: 4 } })
    expect(await draw(name, 3)).toEqual(['T0100', 'T0110', 'T0120'])
    const { left, warning, untilRestart } = await drawNumbers(ctx, alice, name, 10, null)
    expect({ left, untilRestart, warning: warning?.key }).toEqual({ left: 11, untilRestart: null, warning: undefined })
    expect(await drawNumbers(ctx, alice, name, 1, null)).toMatchObject({ left: 10, warning: { key: 'api.series.fewLeft' } })
    expect(await previewSeries(ctx, alice, name)).toMatchObject({ left: 10, warning: { key: 'api.series.fewLeft' } })
    await expect(draw(name, 11)).rejects.toMatchObject({ code: 'conflict', said: { values: { left: 10, count: 11 } } })
    expect((await draw(name, 10)).at(-1)).toBe('T0330')
    expect(await previewSeries(ctx, alice, name)).toMatchObject({ numbers: [], left: 0 })
    await expect(draw(name, 1)).rejects.toMatchObject({ code: 'conflict' })
  })

  it('begins again with numbers that rested, says so before, and tells when enough will have', async () => {
    const name = await newSeries({ kind: 'cycle', start: 1, max: 20, rest: 60, format: { digits: 1 } })
    expect(await drawNumbers(ctx, alice, name, 5, null)).toMatchObject({ untilRestart: 15, warning: null, restarted: false })
    expect(await drawNumbers(ctx, alice, name, 10, null)).toMatchObject({ untilRestart: 5, left: 5 })
    await expect(draw(name, 6)).rejects.toMatchObject({ code: 'unavailable', retryAfter: expect.any(Number) })
    // A minute later by the clock of this process alone, nothing has rested.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
    try {
      expect(await previewSeries(ctx, alice, name)).toMatchObject({ left: 5 })
      await expect(draw(name, 6)).rejects.toMatchObject({ code: 'unavailable' })
    } finally {
      vi.useRealTimers()
    }
    ahead.ms = 61_000
    try {
      const drawn = await drawNumbers(ctx, alice, name, 10, null)
      expect(drawn.numbers).toEqual(['16', '17', '18', '19', '20', '1', '2', '3', '4', '5'])
      expect(drawn.restarted).toBe(true)
      await redis.client.flushall()
      expect(await draw(name, 1)).toEqual(['6'])
    } finally {
      ahead.ms = 0
    }
  })

  it('says how near its restart is', async () => {
    const name = await newSeries({ kind: 'cycle', start: 1, max: 1000, rest: 60 })
    await draw(name, 905)
    const { numbers: preview, warning } = await previewSeries(ctx, alice, name)
    expect(preview[0]).toBe('00906')
    expect(warning).toEqual({ key: 'api.series.fewLeft', values: { left: 95 } })
    await db.change('UPDATE SeriesNumber SET freeAt = NOW() - INTERVAL 1 DAY WHERE seriesId = ?', await idOf(name))
    await redis.client.flushall()
    expect((await previewSeries(ctx, alice, name)).warning).toEqual({ key: 'api.series.restartsSoon', values: { count: 95 } })
  })
})

describe('a counter by day', () => {
  it('begins at its first number each day and goes on by its step', async () => {
    const name = await newSeries({ kind: 'counter', first: 10, step: 5, keepDays: 2, format: { date: 'yyMMdd', digits: 3 } })
    expect(await draw(name, 3)).toEqual([`${DAY}010`, `${DAY}015`, `${DAY}020`])
    ahead.ms = 3 * 86_400_000
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ahead.ms })
    try {
      const later = utcDay(new Date()).slice(2)
      expect(await draw(name, 2, process())).toEqual([`${later}010`, `${later}015`])
      await new SeriesSweeper(ctx).sweep()
      const days = await db.client.seriesNumber.findMany({ where: { seriesId: await idOf(name) } })
      expect(new Set(days.map(({ day }) => String(day).slice(2)))).toEqual(new Set([later]))
    } finally {
      ahead.ms = 0
      vi.useRealTimers()
    }
  })
})

describe('a shuffled series', () => {
  it('has the numbers of its digits once each, tells neither order nor count, and then goes on with one digit more', async () => {
    const name = await newSeries({ kind: 'shuffled', format: { date: 'yyMMdd', digits: 5 } })
    const first = await draw(name, 10_000)
    for (const number of first) if (!new RegExp(`^${DAY}[1-9]\\d{4}$`).test(number)) expect.fail(number)
    const values = first.map((number) => Number(number.slice(6)))
    const rising = values.filter((value, i) => i > 0 && value > (values[i - 1] ?? 0)).length / values.length
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length / 110_000
    // Six standard deviations of 10,000 random numbers.
    for (const share of [rising, mean]) expect(Math.abs(share - 0.5)).toBeLessThan(0.02)
    // The day is busy: 89,995 were drawn.
    const id = await idOf(name)
    await db.change('UPDATE SeriesNumber SET position = 89994 WHERE seriesId = ? AND position = 9999', id)
    await redis.client.flushall()
    const edge = await draw(name, 10)
    expect(edge.map((number) => number.length - 6)).toEqual([5, 5, 5, 5, 5, 6, 6, 6, 6, 6])
    await db.change('UPDATE SeriesNumber SET position = 989999 WHERE seriesId = ? AND position = 9998', id)
    await redis.client.flushall()
    expect((await draw(name, 1))[0]).toMatch(new RegExp(`^${DAY}[1-9]\\d{6}$`))
    await db.change('UPDATE SeriesNumber SET position = 9989998 WHERE seriesId = ? AND position = 9997', id)
    await redis.client.flushall()
    expect(await drawNumbers(ctx, alice, name, 1, null)).toMatchObject({ left: 0, warning: { key: 'api.series.fewLeft' } })
    await expect(draw(name, 1)).rejects.toMatchObject({ code: 'unavailable', retryAfter: expect.any(Number) })
  })
})

describe('a bitmap', () => {
  it('gives every number once, all or none, and warns before its end', async () => {
    const name = await newSeries({ kind: 'bitmap', size: 1_000, format: { digits: 3 } })
    const first = await draw(name, 400)
    const { numbers, left } = await previewSeries(ctx, alice, name)
    expect(left).toBe(600)
    for (const number of numbers) expect(first).not.toContain(number)
    await expect(draw(name, 601)).rejects.toMatchObject({ code: 'conflict', said: { values: { left: 600, count: 601 } } })
    const next = await drawNumbers(ctx, alice, name, 500, null)
    expect(next).toMatchObject({ left: 100, warning: { key: 'api.series.fewLeft', values: { left: 100 } } })
    const all = [...first, ...next.numbers, ...(await draw(name, 100))]
    expect(all.sort()).toEqual(Array.from({ length: 1_000 }, (_, number) => String(number).padStart(3, '0')))
    await expect(draw(name, 1)).rejects.toMatchObject({ code: 'conflict' })
    await redis.client.flushall()
    await expect(draw(name, 1)).rejects.toMatchObject({ code: 'conflict' })
  })

  it('loses no number where Redis forgot all but the bits', async () => {
    for (const size of [100, 200_000]) {
      const name = await newSeries({ kind: 'bitmap', size, format: { digits: 6 } })
      const first = await draw(name, 50)
      await redis.client.del(`{series:${await idOf(name)}}:about`)
      expect((await previewSeries(ctx, alice, name)).left).toBe(size - 50)
      if (size === 100) await expect(draw(name, 60)).rejects.toMatchObject({ code: 'conflict', said: { values: { left: 50 } } })
      const next = await draw(name, 10)
      expect(new Set([...first, ...next]).size).toBe(60)
      expect((await previewSeries(ctx, alice, name)).left).toBe(size - 60)
      if (size === 100) expect(new Set([...first, ...next, ...(await draw(name, 40))]).size).toBe(100)
    }
  })

  it('takes what it took of too few back', async () => {
    const name = await newSeries({ kind: 'bitmap', size: 100, format: { digits: 3 } })
    const first = await draw(name, 50)
    // As if it had been counted wrong.
    await redis.client.hset(`{series:${await idOf(name)}}:about`, 'used', 0)
    await expect(draw(name, 60)).rejects.toMatchObject({ code: 'conflict' })
    expect(new Set([...first, ...(await draw(name, 50))]).size).toBe(100)
  })

  it('of ten digits gives numbers from all over, and takes little of Redis', async () => {
    const name = await newSeries({ kind: 'bitmap', size: 10_000_000_000, format: { digits: 10 } })
    const numbers = (await draw(name, 10_000)).map(Number)
    const tenths = new Set(numbers.map((number) => Math.floor(number / 1_000_000_000)))
    expect(tenths.size).toBe(10)
    expect(new Set(numbers.map((number) => number % 100)).size).toBe(100)
    const keys = await redis.client.keys('{series:*')
    const bytes = await Promise.all(keys.map((key) => redis.client.memory('USAGE', key)))
    expect(bytes.reduce<number>((sum, size) => sum + (size ?? 0), 0)).toBeLessThan(40_000)
  })

  it('goes on from one segment to the next, with none left out', async () => {
    const name = await newSeries({ kind: 'bitmap', size: 270_000, format: { digits: 6 } })
    const drawn: string[] = []
    for (let i = 0; i < 27; i++) drawn.push(...(await draw(name, 10_000)))
    expect(new Set(drawn).size).toBe(270_000)
    await expect(draw(name, 1)).rejects.toMatchObject({ code: 'conflict' })
  })
})

describe('a series that cannot be', () => {
  it.each([
    [{ kind: 'cycle', start: 10, max: 9 }, 'max', 'empty'],
    [{ kind: 'cycle', start: 1, max: 1000, step: 7 }, 'step', 'neverReaches'],
    [{ kind: 'cycle', start: 1, max: 10, step: 0 }, 'step', 'step'],
    [{ kind: 'cycle', start: 1, max: 10, step: -1 }, 'step', 'step'],
    [{ kind: 'cycle', start: 0, max: 1_000_000 }, 'max', 'tooMany'],
    [{ kind: 'counter', format: { date: 'yyyyMM' } }, 'format.date', 'dateNeeded'],
    [{ kind: 'shuffled', format: { date: 'yyMMdd', digits: 8 } }, 'format.digits', 'shuffledDigits'],
    [{ kind: 'cycle', max: 9, format: { prefix: 'a b' } }, 'format.prefix', 'prefix'],
    [{ kind: 'cycle', max: 9, name: 'Not a name' }, 'name', 'name'],
  ])('%o is refused at its field', async (definition, path, key) => {
    const before = await db.client.series.count()
    await expect(newSeries(definition)).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ path, message: { key: `forms.series.${key}` } }],
    })
    expect(await db.client.series.count()).toBe(before)
  })

  it('since two define it at once, is refused to one of them', async () => {
    const input = validate(CreateSeries, { name: 'twice', kind: 'cycle', max: 9 })
    const made = await Promise.allSettled([createSeries(ctx, alice, input), createSeries(process(), alice, input)])
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(made.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'conflict', errors: [{ path: 'name' }] },
    })
    expect(await db.client.series.count({ where: { ownerId: 'alice', name: 'twice' } })).toBe(1)
  })
})
