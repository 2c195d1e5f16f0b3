import { beforeAll, describe, expect, it, vi } from 'vitest'
import { removeAccount as deleteRoute, getAccount, patchPreferences, postKey } from '@/lib/api/account'
import { countStep } from '@/lib/counts/counter'
import { countAll, countByOwner } from '@/lib/counts/counts'
import { createLink } from '@/lib/links/create'
import { deleteLink } from '@/lib/links/delete'
import { CreateSeries } from '@/lib/series/schemas'
import { createSeries } from '@/lib/series/store'
import { PASSWORD, Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { validate } from '@/lib/tools/validate'
import { createTemplate } from '@/lib/utm/templates'
import { closeAccount, finishRemoval, removeAccount } from './remove'
import { AccountSweeper } from './sweep'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const settings = { DATABASE_URL: url, REDIS_URL: redis.url }
const [ctx, elsewhere] = await Promise.all([testRuntime(settings), testRuntime(settings)])
beforeAll(() => settled(ctx, elsewhere))

const ACCOUNT = '/api/v1/account'

/** An account with a session, a key, a second factor in the making, and some links, one of them deleted. */
async function member(links = 3) {
  const visitor = new Visitor(ctx)
  const account = await visitor.signUp()
  const { body } = await visitor.ask(postKey, 'POST', `${ACCOUNT}/keys`, { name: 'script', scope: 'write' })
  await visitor.auth('/two-factor/enable', { password: PASSWORD })
  await visitor.ask(getAccount, 'PATCH', ACCOUNT)
  await visitor.ask(patchPreferences, 'PATCH', `${ACCOUNT}/preferences`, { singleKeys: false })
  const made = []
  for (let i = 0; i < links; i++) {
    const input = { url: `https://example.com/${account.id}/${i}`, listed: true }
    made.push((await createLink(ctx, owner(account.id), input)).link)
  }
  const gone = (await createLink(ctx, owner(account.id), { url: 'https://example.com/gone' })).link
  await deleteLink(ctx, owner(account.id), { code: gone.code })
  await createTemplate(ctx, account.id, { name: 'Spring', source: 'news' })
  await createSeries(ctx, account, validate(CreateSeries, { name: 'tickets', kind: 'cycle', max: 9 }))
  return { visitor, key: body.key as string, links: made, gone, ...account }
}

const finished = (id: string) =>
  vi.waitFor(async () => expect(await ctx.db.client.user.findUnique({ where: { id } })).toBeNull(), { timeout: 10_000 })

/** How many rows tell of an account. */
async function traces(id: string): Promise<number> {
  const tables = ['Session', 'Credential', 'TwoFactor', 'Passkey', 'Preferences'].map(
    (table) => `(SELECT COUNT(*) FROM ${table} WHERE userId = ?)`,
  )
  const more = ['SELECT COUNT(*) FROM ApiKey WHERE referenceId = ?', 'SELECT COUNT(*) FROM Link WHERE ownerId = ?']
  const others = ['DeletedLink', 'Series', 'UtmTemplate'].map((table) => `SELECT COUNT(*) FROM ${table} WHERE ownerId = ?`)
  const sum = [...tables, ...[...more, ...others].map((sql) => `(${sql})`)].join(' + ')
  const [row] = await connection.query(`SELECT ${sum} AS n`, Array(10).fill(id))
  return Number(row.n)
}

describe('a removed account', () => {
  it('that keeps its links leaves them leading where they led, belonging to nobody', async () => {
    const { id, handle, links, gone } = await member()
    expect(await traces(id)).toBeGreaterThanOrEqual(10)
    await removeAccount(ctx, id, 'keep')
    await finished(id)
    expect(await traces(id)).toBe(0)
    for (const link of links) {
      const row = await ctx.db.client.link.findUnique({ where: { id: link.id } })
      expect(row).toMatchObject({ url: link.url, state: 'active', ownerId: null, listed: false })
      expect(row?.version).toBeGreaterThan(link.version)
    }
    expect(await ctx.db.client.deletedLink.findUnique({ where: { id: gone.id } })).not.toBeNull()
    expect(await ctx.db.client.freedHandle.findUnique({ where: { handle: Number(handle) } })).not.toBeNull()
  })

  it('that deletes its links leaves their codes in quarantine', async () => {
    const { id, links } = await member(20)
    await removeAccount(ctx, id, 'delete')
    await finished(id)
    expect(await traces(id)).toBe(0)
    for (const link of links) {
      expect(await ctx.db.client.link.findUnique({ where: { id: link.id } })).toBeNull()
      expect(await ctx.db.client.deletedLink.findUnique({ where: { id: link.id } })).toMatchObject({ ownerId: null })
      expect((await ctx.lookup.find(link.fullShortUrl)).entry.record).toMatchObject({ kind: 'tombstone' })
    }
  })

  it('is closed at once: nothing lets anyone in, its address is free, and nothing tells of it', async () => {
    const { visitor, key, id, email } = await member()
    await closeAccount(ctx, id, 'keep')
    expect((await visitor.ask(getAccount, 'GET', ACCOUNT)).status).toBe(401)
    const byKey = await new Visitor(ctx).ask(getAccount, 'GET', ACCOUNT, undefined, { authorization: `Bearer ${key}` })
    expect(byKey.status).toBe(401)
    expect((await new Visitor(ctx).signIn(email)).status).toBe(401)
    expect((await new Visitor(ctx).signUp(email)).id).not.toBe(id)
    const row = JSON.stringify(await ctx.db.client.user.findUnique({ where: { id } }))
    expect(row).not.toMatch(/Someone|@example\.com/)
    await expect(removeAccount(ctx, id, 'delete')).rejects.toMatchObject({ code: 'not_found' })
  })

  it.each(['delete', 'keep'] as const)('has as many links as it says until the end, and none then: %s', async (links) => {
    const { id, ...made } = await member(12)
    const held = async () => [await ctx.db.client.link.count({ where: { ownerId: id } }), await ctx.db.client.link.count()]
    const said = async () => [(await countByOwner(ctx.db, [id])).get(id), await countAll(ctx.db)]
    // Counted, though they are young.
    await connection.query('UPDATE CountedTo SET lastId = -1, at = NULL')
    await connection.query('DELETE FROM LinkCount')
    while (await countStep(ctx.db, { margin: 0 }));
    await closeAccount(ctx, id, links)
    expect(await said()).toEqual(await held())
    for (const link of made.links.slice(0, 3)) await deleteLink(ctx, owner(id), { code: link.code })
    expect(await said()).toEqual(await held())
    while (await countStep(ctx.db, { margin: 0 }));
    await finishRemoval(ctx, id)
    expect(await said()).toEqual(await held())
    while (await countStep(ctx.db, { margin: 0 }));
    expect(await said()).toEqual([0, (await held())[1]])
    expect(await connection.query('SELECT * FROM LinkCount WHERE links < 0')).toEqual([])
    // Counted again, nothing is left of it.
    while (await countStep(ctx.db, { margin: 0, kept: 0 }));
    while (await countStep(ctx.db, { margin: 0, kept: 0 }));
    expect(await connection.query('SELECT * FROM LinkCount WHERE name = ?', [id])).toEqual([])
  })

  it('is gone in the end when the work was broken off anywhere, and by two processes at once', async () => {
    const { id, links } = await member(30)
    await closeAccount(ctx, id, 'delete')
    for (const link of links.slice(0, 11)) await deleteLink(ctx, owner(id), { code: link.code })
    await Promise.all([new AccountSweeper(ctx).sweep(), finishRemoval(elsewhere, id)])
    await finished(id)
    expect(await traces(id)).toBe(0)
    expect(await ctx.db.client.deletedLink.count({ where: { id: { in: links.map((link) => link.id) } } })).toBe(30)
    expect(await ctx.db.client.freedHandle.count()).toBe(
      new Set((await ctx.db.client.freedHandle.findMany()).map((f) => f.handle)).size,
    )
    await finishRemoval(ctx, id)
  })
})

describe('deleting one’s own account', () => {
  const ask = (visitor: Visitor, body: object) => visitor.ask(deleteRoute, 'DELETE', ACCOUNT, body)

  it('asks for handle and password once more', async () => {
    const { visitor, handle, id } = await member(0)
    for (const [given, path] of [
      [{ handle: '10000000', password: PASSWORD, links: 'keep' }, 'handle'],
      [{ handle, password: 'a wrong password', links: 'keep' }, 'password'],
      [{ handle, links: 'keep' }, 'password'],
      [{ handle, password: PASSWORD }, 'links'],
    ] as const) {
      const { status, body } = await ask(visitor, given)
      expect([status, body.errors[0].path]).toEqual([422, path])
    }
    expect((await visitor.ask(getAccount, 'GET', ACCOUNT)).status).toBe(200)
    expect((await ask(visitor, { handle, password: PASSWORD, links: 'keep' })).status).toBe(204)
    await finished(id)
  })

  it('asks an account without a password to have signed in lately', async () => {
    const { visitor, handle, id } = await member(0)
    await connection.query('DELETE FROM Credential WHERE userId = ?', [id])
    await connection.query('UPDATE Session SET createdAt = createdAt - INTERVAL 16 MINUTE WHERE userId = ?', [id])
    expect((await ask(visitor, { handle, links: 'keep' })).body.code).toBe('proof_needed')
    await connection.query('UPDATE Session SET createdAt = createdAt + INTERVAL 2 MINUTE WHERE userId = ?', [id])
    expect((await ask(visitor, { handle, links: 'keep' })).status).toBe(204)
    await finished(id)
  })
})

it('sessions, secrets and invitations that have had their time are swept away, others stay', async () => {
  const { id, email } = await new Visitor(ctx).signUp()
  await new Visitor(ctx).signIn(email)
  const [old] = await ctx.db.client.session.findMany({ where: { userId: id }, take: 1 })
  await connection.query('UPDATE Session SET expiresAt = UTC_TIMESTAMP() - INTERVAL 1 SECOND WHERE id = ?', [old?.id])
  const [now, past, future] = [0, -1_000, 60_000].map((ms) => new Date(Date.now() + ms)) as [Date, Date, Date]
  const secret = (name: string, expiresAt: Date) => ({
    id: name,
    identifier: name,
    value: 'x',
    expiresAt,
    createdAt: now,
    updatedAt: now,
  })
  await ctx.db.client.verification.createMany({ data: [secret('over', past), secret('good', future)] })
  const invitation = (name: bigint, expiresAt: Date, usedBy: string | null) => ({
    id: name,
    tokenHash: new Uint8Array(32).fill(Number(name)),
    createdBy: id,
    createdAt: now,
    expiresAt,
    usedBy,
  })
  const longPast = new Date(Date.now() - 31 * 86_400_000)
  const invitations = [invitation(1n, longPast, null), invitation(2n, longPast, id), invitation(3n, past, null)]
  await ctx.db.client.invitation.createMany({ data: invitations })
  await new AccountSweeper(ctx).sweep()
  expect(await ctx.db.client.session.count({ where: { userId: id } })).toBe(1)
  expect((await ctx.db.client.verification.findMany()).map((row) => row.id)).toContain('good')
  expect((await ctx.db.client.verification.findMany()).map((row) => row.id)).not.toContain('over')
  // Those that were used tell who invited an account.
  expect((await ctx.db.client.invitation.findMany({ orderBy: { id: 'asc' } })).map((row) => row.id)).toEqual([2n, 3n])
})
