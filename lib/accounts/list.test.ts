import { beforeAll, describe, expect, it } from 'vitest'
import { audit, listAudit } from '@/lib/audit/audit'
import { AuditQuery } from '@/lib/audit/schemas'
import { DatabaseGateway } from '@/lib/db/gateway'
import type { User } from '@/lib/db/generated/client'
import { isTerseError } from '@/lib/errors'
import { insertLinks } from '@/lib/links/insert'
import { atEnd } from '@/lib/testing/cleanup'
import { testDatabase } from '@/lib/testing/database'
import { linkRow } from '@/lib/testing/links'
import { listAccounts } from './list'
import { AccountsQuery } from './schemas'

const { url } = await testDatabase()
const db = new DatabaseGateway(url, 5)
atEnd(() => db.close())
const ctx = { db }

const user = (i: number, given: Partial<User> = {}): User => ({
  id: `user-${i}`,
  name: `Person ${i}`,
  email: `person${i}@example.com`,
  emailVerified: true,
  image: null,
  createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, Math.floor(i / 3))),
  updatedAt: new Date(),
  role: 'user',
  banned: false,
  banReason: null,
  banExpires: null,
  handle: String(10_000_000 + i),
  username: null,
  language: null,
  twoFactorEnabled: false,
  publicProfile: false,
  removal: null,
  ...given,
})

const users = [
  ...Array.from({ length: 40 }, (_, i) => user(i)),
  user(90, { name: '100% Ünal_x', email: 'boss@example.org', role: 'admin' }),
  user(91, { banned: true, banReason: 'Spam' }),
  user(92, { banned: true, banReason: 'Spam', banExpires: new Date(Date.now() - 1_000) }),
  user(93, { banned: true, banReason: 'Spam', banExpires: new Date(Date.now() + 3_600_000) }),
]

beforeAll(async () => {
  await db.client.user.createMany({ data: users })
  await insertLinks(db.client, [linkRow({ ownerId: 'user-3' }), linkRow({ ownerId: 'user-3' })])
})

const find = async (query: Record<string, string>) =>
  (await listAccounts(ctx, AccountsQuery.parse({ limit: '100', ...query }))).accounts.map(({ id }) => id)

describe('the list of accounts', () => {
  it('holds each account once, the newest first, in pages of any size', async () => {
    const expected = [...users]
      .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1))
      .map(({ id }) => id)
    for (const limit of ['1', '3', '7', '100']) {
      const ids: string[] = []
      let cursor: string | null = null
      do {
        const page = await listAccounts(ctx, AccountsQuery.parse({ limit, ...(cursor === null ? {} : { cursor }) }))
        ids.push(...page.accounts.map(({ id }) => id))
        cursor = page.nextCursor
      } while (cursor !== null)
      expect(ids).toEqual(expected)
    }
  })

  it('is searched by handle, name and e-mail address, each taken literally', async () => {
    expect(await find({ q: '10000007' })).toEqual(['user-7'])
    expect(await find({ q: 'BOSS@' })).toEqual(['user-90'])
    expect(await find({ q: 'ünal' })).toEqual(['user-90'])
    expect(await find({ q: '%' })).toEqual(['user-90'])
    expect(await find({ q: '_' })).toEqual(['user-90'])
    expect(await find({ q: "' OR 1=1" })).toEqual([])
  })

  it('is filtered by role and ban, and counts links', async () => {
    expect(await find({ role: 'admin' })).toEqual(['user-90'])
    const banned = await find({ banned: 'true' })
    expect(banned).toEqual(['user-93', 'user-91'])
    expect((await find({ banned: 'false' })).sort()).toEqual(
      users
        .map(({ id }) => id)
        .filter((id) => !banned.includes(id))
        .sort(),
    )
    const { accounts } = await listAccounts(ctx, AccountsQuery.parse({ q: '10000003' }))
    expect(accounts[0]).toMatchObject({ links: 2, sessions: 0, lastSeenAt: null })
  })

  it('refuses cursors that are not its own', async () => {
    for (const cursor of ['x', '1', "1-'", '-']) {
      const refused = await listAccounts(ctx, AccountsQuery.parse({ cursor })).catch((error: unknown) => error)
      expect(isTerseError(refused) && refused.code).toBe('bad_request')
    }
  })
})

describe('the audit log', () => {
  const by = { account: { id: 'user-90', handle: '10000090', email: 'boss@example.org' }, address: '2001:db8::1' }

  it('tells who did what to what, when and from where, the latest first', async () => {
    await audit(ctx, by, 'link.ban', 'terse.test/a', { reason: '<script>' })
    await audit(ctx, { ...by, account: { ...by.account, id: 'other' } }, 'link.unban', 'x'.repeat(1_000))
    const { entries } = await listAudit(ctx, AuditQuery.parse({}))
    expect(entries.map(({ action }) => action)).toEqual(['link.unban', 'link.ban'])
    expect(entries[1]).toMatchObject({
      actor: '10000090 boss@example.org',
      target: 'terse.test/a',
      details: { reason: '<script>' },
      address: '2001:db8::1',
    })
    for (const query of [{ actor: 'user-90' }, { action: 'link.ban' }, { target: 'terse.test/a' }]) {
      expect((await listAudit(ctx, AuditQuery.parse(query))).entries.map(({ action }) => action)).toEqual(['link.ban'])
    }
    const first = await listAudit(ctx, AuditQuery.parse({ limit: '1' }))
    const second = await listAudit(ctx, AuditQuery.parse({ limit: '1', cursor: first.nextCursor ?? '' }))
    expect([...first.entries, ...second.entries].map(({ action }) => action)).toEqual(['link.unban', 'link.ban'])
    expect(second.nextCursor).toBeNull()
  })
})
