import { kill } from 'node:process'
import { describe, expect, it, vi } from 'vitest'
import { getSystem } from '@/lib/api/system'
import { createLink } from '@/lib/links/create'
import { CreateLink } from '@/lib/links/schemas'
import { Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { eventually, within } from '@/lib/testing/eventually'
import { proxyTo } from '@/lib/testing/proxy'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { durationText } from '@/lib/tools/time'
import { SystemView } from './schemas'
import { System } from './system'

const { url, connection } = await testDatabase()
const toMysql = await proxyTo(url)
const server = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: toMysql.url, REDIS_URL: server.url, CODE_REUSE_AFTER: '30d' })
await settled(ctx)

/** As a page sees it that asks for the first time: nothing is kept from before. */
const view = async () => SystemView.parse(await new System(ctx).view())

describe('the state of the system', () => {
  it('is true in every part while all is well', async () => {
    await createLink(ctx, owner('someone'), CreateLink.parse({ url: 'https://example.com/' }))
    await ctx.ids.handles.issue()
    const state = await view()
    const [row] = await connection.query<{ version: string }[]>('SELECT VERSION() AS version')
    expect(state.mysql).toMatchObject({ up: true, version: row?.version, breaker: 'closed', latency: expect.any(Number) })
    expect(state.redis).toMatchObject({
      up: true,
      version: expect.stringMatching(/^\d+\./),
      breaker: 'closed',
      unheardChanges: 0,
    })
    expect(state.redis.memory).toBeGreaterThan(500_000)
    expect(state.process).toMatchObject({
      pid: process.pid,
      node: process.version,
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    })
    expect(state.process.memory).toBeGreaterThan(10_000_000)
    expect(state.bloom).toMatchObject({
      implementation: 'bitmap',
      trusted: true,
      shards: 16,
      trustedShards: 16,
      codes: 1,
      capacity: 100_000,
      maxCapacity: 1_000_000_000,
    })
    expect(state.freed).toEqual({ codes: 0, limit: 1_000_000, quarantine: '30d' })
    expect(state.ids.map(({ name, up }) => [name, up])).toEqual([
      ['handle', true],
      ['spoken', true],
      ['reference', true],
      ['job', true],
    ])
    expect(state.ids[0]?.parts).toEqual([{ part: '0', used: 1, capacity: 10_000_000, last: expect.stringMatching(/^1\d{7}$/) }])
  })

  it('counts where links were found, those that the lane finds in memory included', async () => {
    const before = (await view()).cache
    const requests = ctx.metrics.requests
    requests.labels({ outcome: 'redirect', tier: 'memory' }).observe(0.001)
    requests.labels({ outcome: 'not-found', tier: 'filter' }).observe(0.001)
    requests.labels({ outcome: 'redirect', tier: 'filter' }).observe(0.001)
    const after = (await view()).cache
    expect(after.hits).toEqual({ ...before.hits, memory: (before.hits.memory ?? 0) + 1, filter: (before.hits.filter ?? 0) + 2 })
    expect(after.limitBytes).toBe(64 * 1024 * 1024)
  })

  it('is dear to count and so counted once in a few seconds, while what is cheap is always new', async () => {
    const system = new System(ctx)
    const first = await system.view()
    await createLink(ctx, owner('someone'), CreateLink.parse({ url: 'https://example.com/2' }))
    ctx.metrics.requests.labels({ outcome: 'redirect', tier: 'mysql' }).observe(0.001)
    const second = await system.view()
    expect(second.bloom.codes).toBe(first.bloom.codes)
    expect(second.cache.hits.mysql).toBe((first.cache.hits.mysql ?? 0) + 1)
    await eventually(async () => expect((await system.view()).bloom.codes).toBe(first.bloom.codes + 1), 200)
  })

  it('is for admins', async () => {
    const visitor = new Visitor(ctx)
    const { id } = await visitor.signUp()
    expect((await visitor.ask(getSystem, 'GET', '/api/v1/admin/system')).status).toBe(403)
    await connection.query("UPDATE User SET role = 'admin' WHERE id = ?", [id])
    expect(SystemView.parse((await visitor.ask(getSystem, 'GET', '/api/v1/admin/system')).body).redis.up).toBe(true)
  })
})

/** What `view` says, and that it says so within 1.5 s. */
async function viewInTime(system: System): Promise<SystemView> {
  const view = system.view()
  const settled = vi.fn()
  view.then(settled, settled)
  await within(1_500, () => expect(settled).toHaveBeenCalled())
  return SystemView.parse(await view)
}

describe('the nightly copy', () => {
  const to = '/srv/copies'
  const copying = { ...ctx, config: { ...ctx.config, COPY_TO: to } }

  it('is nothing where there is to be none, and told where there is one: before the first, after it, and when one failed', async () => {
    expect((await view()).copies).toBeNull()
    const told = async () => SystemView.parse(await new System(copying).view()).copies
    expect(await told()).toMatchObject({ to, finishedAt: null, bytes: 0, failedAt: null, failure: '' })
    await connection.query(
      `UPDATE NightlyCopy SET night = UTC_DATE(), finishedAt = '2031-05-06 03:00:09', bytes = 5000000000,
              failedAt = '2031-05-07 03:00:02', failure = 'no space left on device'`,
    )
    expect(await told()).toMatchObject({
      ...{ finishedAt: '2031-05-06T03:00:09.000Z', bytes: 5_000_000_000 },
      ...{ failedAt: '2031-05-07T03:00:02.000Z', failure: 'no space left on device' },
    })
  })
})

describe('with something down', () => {
  it('MySQL: the rest is told', async () => {
    await toMysql.cut()
    const state = await viewInTime(new System(ctx))
    expect(state.mysql).toMatchObject({ up: false, version: '', latency: null })
    expect(state.redis.up).toBe(true)
    expect(state.bloom.trusted).toBe(true)
    await toMysql.mend()
    await eventually(async () => expect((await view()).mysql.up).toBe(true), 100)
  })

  it('Redis that hangs: the rest is told, and what was known of it, which is not believed', async () => {
    const system = new System(ctx)
    const before = await system.view()
    const pid = server.pid ?? 0
    expect(pid).toBeGreaterThan(0)
    kill(pid, 'SIGSTOP')
    try {
      const fresh = await viewInTime(new System(ctx))
      expect(fresh.redis).toMatchObject({ up: false, version: '', latency: null })
      expect(fresh.bloom).toMatchObject({ implementation: 'none', trusted: false, codes: 0, capacity: 100_000 })
      expect(fresh.ids.every(({ up, parts }) => !up && parts.length === 0)).toBe(true)
      expect(fresh.mysql.up).toBe(true)
      const known = await viewInTime(system)
      expect(known.bloom).toEqual({ ...before.bloom, trusted: false, trustedShards: 0 })
    } finally {
      kill(pid, 'SIGCONT')
    }
  })

  it('Redis that is gone: the same', async () => {
    await server.kill('SIGKILL')
    const state = await viewInTime(new System(ctx))
    expect(state.redis.up).toBe(false)
    expect(state.mysql.up).toBe(true)
    await server.start()
    await vi.waitFor(async () => expect((await view()).bloom.trusted).toBe(true), { timeout: 20_000, interval: 200 })
  })
})

describe('a duration', () => {
  it.each([
    [0, '0'],
    [Number.POSITIVE_INFINITY, 'never'],
    [90 * 86_400_000, '90d'],
    [36 * 3_600_000, '36h'],
    [90_000, '90s'],
    [1_800_000, '30m'],
  ])('of %d ms is said as it is set', (ms, text) => expect(durationText(ms)).toBe(text))
})
