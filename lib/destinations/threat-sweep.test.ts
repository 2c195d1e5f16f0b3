import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { removeThreats, replaceThreats, setPauses, viewThreats } from '@/lib/blocklist/threat-list'
import { banLink, unbanLink } from '@/lib/links/ban'
import { createLink } from '@/lib/links/create'
import { deleteLink } from '@/lib/links/delete'
import { OURSELVES } from '@/lib/links/permit'
import { restoreLink } from '@/lib/links/restore'
import { CreateLink, UpdateLink } from '@/lib/links/schemas'
import { updateLink } from '@/lib/links/update'
import { keepAccount } from '@/lib/testing/accounts'
import { openGateway } from '@/lib/testing/counting'
import { testDatabase } from '@/lib/testing/database'
import { eventually } from '@/lib/testing/eventually'
import { HOST } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { healthOf, setHealth } from './health'
import { ThreatSweep } from './threat-sweep'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
const gateway = openGateway(url)
const [alice, bob] = [owner('alice'), owner('bob')]

beforeAll(async () => {
  // It would take turns too.
  ctx.health.close()
  await settled(ctx)
  await keepAccount(gateway, 'alice')
  await keepAccount(gateway, 'bob')
})
beforeEach(async () => {
  for (const table of ['Link', 'LinkHealth', 'HealthAccount']) await connection.query(`DELETE FROM ${table}`)
})

const stateOf = async (id: bigint) => (await healthOf(ctx, 'alice', [id])).get(id)

describe('links to what the list of threats names', () => {
  const sweep = new ThreatSweep(ctx)
  const stateIn = async (id: bigint) => (await ctx.db.read((client) => client.link.findUniqueOrThrow({ where: { id } }))).state
  const settle = async () => {
    // By then every process has read the list.
    await connection.query('UPDATE ThreatList SET leaseUntil = NULL')
    await sweep.sweep()
    // Where the process's own was first, it is still at it.
    await eventually(async () => expect(await viewThreats(ctx)).toMatchObject({ busy: false }))
  }

  it('are paused while that is switched on, open again when it no longer names them, and cannot be created', async () => {
    const link = (await createLink(ctx, bob, CreateLink.parse({ url: 'https://sub.bad.example/a' }))).link
    const off = (await createLink(ctx, bob, CreateLink.parse({ url: 'https://bad.example/b', enabled: false }))).link
    const mine = (await createLink(ctx, alice, CreateLink.parse({ url: 'https://bad.example/c' }))).link
    const rules = [{ when: [{ of: 'os', in: ['iOS'] }], url: 'https://bad.example/ios' }]
    const byRule = (await createLink(ctx, alice, CreateLink.parse({ url: 'https://good.example/', routing: { rules } }))).link
    await setHealth(ctx, 'alice', true)
    await replaceThreats(ctx, 'bad.example')
    await settle()
    expect(await stateIn(link.id)).toBe('active')
    expect(await stateOf(mine.id)).toMatchObject({ state: 'threat', reason: 'threat' })
    expect(await stateOf(byRule.id)).toMatchObject({ state: 'threat', destination: 'https://bad.example/ios' })
    await setPauses(ctx, true)
    await settle()
    expect(await stateIn(link.id)).toBe('paused')
    expect(await stateIn(off.id)).toBe('disabled')
    await expect(createLink(ctx, bob, CreateLink.parse({ url: 'https://bad.example/new' }))).rejects.toThrow(/list of threats/)
    const at = { code: link.code, domain: HOST }
    await expect(updateLink(ctx, bob, at, UpdateLink.parse({ enabled: true }))).rejects.toThrow(/list of threats/)
    await replaceThreats(ctx, 'else.example')
    await settle()
    expect(await stateIn(link.id)).toBe('active')
    await replaceThreats(ctx, 'bad.example')
    await settle()
    expect(await stateIn(link.id)).toBe('paused')
    await setPauses(ctx, false)
    await settle()
    expect(await stateIn(link.id)).toBe('active')
    await removeThreats(ctx)
  })

  it('go on as soon as they lead elsewhere, and by no other edit', async () => {
    const make = async (fields: object) =>
      (await createLink(ctx, bob, CreateLink.parse({ url: 'https://fine.example/', ...fields }))).link
    const edit = (code: string, fields: object) => updateLink(ctx, bob, { code, domain: HOST }, UpdateLink.parse(fields))
    const link = await make({ url: 'https://bad.example/edit' })
    const ended = await make({ expiresAt: new Date(Date.now() + 86_400_000).toISOString(), expiredUrl: 'https://bad.example/' })
    const rules = [{ when: [{ of: 'os', in: ['iOS'] }], url: 'https://bad.example/ios' }]
    const byRule = await make({ url: 'https://bad.example/both', routing: { rules } })
    await replaceThreats(ctx, 'bad.example')
    await setPauses(ctx, true)
    await settle()
    for (const { id, code } of [link, ended, byRule]) {
      expect(await stateIn(id)).toBe('paused')
      expect((await edit(code, { title: 'mine' })).state).toBe('paused')
    }
    await expect(edit(link.code, { url: 'https://sub.bad.example/' })).rejects.toThrow(/list of threats/)
    expect((await edit(link.code, { url: 'https://fine.example/edit' })).state).toBe('active')
    expect((await edit(ended.code, { expiredUrl: null })).state).toBe('active')
    // One of two places is left.
    expect((await edit(byRule.code, { routing: null })).state).toBe('paused')
    expect((await edit(byRule.code, { url: 'https://fine.example/both', enabled: false })).state).toBe('disabled')
    await setPauses(ctx, false)
    await settle()
    await removeThreats(ctx)
  })

  it('are not paused any more when they come back, from a ban or the bin, after the list named them no longer', async () => {
    const make = async (path: string) =>
      (await createLink(ctx, bob, CreateLink.parse({ url: `https://bad.example/${path}` }))).link
    const [banned, deleted, stillBanned, stillDeleted] = [await make('1'), await make('2'), await make('3'), await make('4')]
    const at = ({ code }: { code: string }) => ({ code, domain: HOST })
    await replaceThreats(ctx, 'bad.example')
    await setPauses(ctx, true)
    await settle()
    for (const { id } of [banned, stillBanned]) await banLink(ctx, OURSELVES, id, 'spam')
    for (const link of [deleted, stillDeleted]) await deleteLink(ctx, bob, at(link))
    // As long as it names them they come back as they were.
    expect((await unbanLink(ctx, OURSELVES, stillBanned.id)).state).toBe('paused')
    expect((await restoreLink(ctx, bob, at(stillDeleted))).state).toBe('paused')
    await replaceThreats(ctx, 'else.example')
    await settle()
    expect((await unbanLink(ctx, OURSELVES, banned.id)).state).toBe('active')
    expect((await restoreLink(ctx, bob, at(deleted))).state).toBe('active')
    expect(await Promise.all([banned, deleted, stillBanned, stillDeleted].map(({ id }) => stateIn(id)))).toEqual(
      Array(4).fill('active'),
    )
    await setPauses(ctx, false)
    await settle()
    await removeThreats(ctx)
  })

  it('are held against it only once every process has read it: one that has not lets links pass', async () => {
    const late = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
    late.health.close()
    await settled(late)
    late.blocklist.close()
    await replaceThreats(ctx, 'bad.example')
    await setPauses(ctx, true)
    const { id } = (await createLink(late, bob, CreateLink.parse({ url: 'https://bad.example/late' }))).link
    await sweep.sweep()
    expect(await viewThreats(ctx)).toMatchObject({ busy: true })
    expect(await stateIn(id)).toBe('active')
    const [row] = await connection.query<{ wait: number }[]>(
      'SELECT TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(3), leaseUntil) / 1000 AS wait FROM ThreatList',
    )
    expect(Number(row?.wait)).toBeGreaterThan(0)
    await settle()
    expect(await stateIn(id)).toBe('paused')
    await setPauses(ctx, false)
    await settle()
    await removeThreats(ctx)
  })

  it('are held against it by one process at a time, from where the last one was', async () => {
    const links = []
    for (let n = 0; n < 5; n++)
      links.push((await createLink(ctx, bob, CreateLink.parse({ url: `https://bad.example/${n}` }))).link)
    await replaceThreats(ctx, 'bad.example')
    await setPauses(ctx, true)
    const { version } = ctx.blocklist.threats
    // A process came as far as to the third, and died.
    await connection.query('UPDATE ThreatList SET sweptFor = ?, sweptTo = ?, leaseUntil = UTC_TIMESTAMP(3) + INTERVAL 1 MINUTE', [
      `${version} pauses`,
      links[2]?.id,
    ])
    await sweep.sweep()
    expect(await Promise.all(links.map(({ id }) => stateIn(id)))).toEqual(Array(5).fill('active'))
    // Of before the clock was set back: it is over as well.
    await connection.query('UPDATE ThreatList SET leaseUntil = UTC_TIMESTAMP(3) + INTERVAL 1 HOUR')
    await sweep.sweep()
    // Where the process's own was first, it is still at it.
    await eventually(async () => expect(await viewThreats(ctx)).toMatchObject({ busy: false }))
    expect(await Promise.all(links.map(({ id }) => stateIn(id)))).toEqual(['active', 'active', 'active', 'paused', 'paused'])
    await setPauses(ctx, false)
    await settle()
    await removeThreats(ctx)
  })
})
