import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { removeAccount } from '@/lib/accounts/remove'
import { nextId } from '@/lib/db/id'
import { StatsQuery } from '@/lib/stats/schemas'
import { keepAccount } from '@/lib/testing/accounts'
import { keepClicks } from '@/lib/testing/clicks'
import { testDatabase } from '@/lib/testing/database'
import { testRedis } from '@/lib/testing/redis'
import { testRuntime } from '@/lib/testing/runtime'
import { DAY } from '@/lib/tools/time'
import { validate } from '@/lib/tools/validate'
import { badgeOf, embedPage, RecentClicks } from './embed'
import { CreateShare } from './schemas'
import { createShare, listShares, revokeShare } from './shares'
import { aboutOf, findShare, isUnlocked, noteSeen, sharedStats, unlock } from './visit'

const { url, connection } = await testDatabase()
const server = await testRedis()
const runtime = await testRuntime({ DATABASE_URL: url, REDIS_URL: server.url })
const ctx = { ...runtime, passwordTries: runtime.answering.passwordTries }

const account = (id: string) => ({ id, name: id, email: `${id}@example.com`, handle: '48213370', role: 'user' as const })
const by = (id = 'alice') => ({ account: account(id), address: '192.0.2.1' })
beforeAll(() => Promise.all(['alice', 'bob', 'carol'].map((id) => keepAccount(runtime.db, id))))

let link = { id: 0n, code: '' }
async function keepLink(ownerId: string, fields: { passwordHash?: string } = {}) {
  const id = nextId()
  const code = `s${id}`
  const host = runtime.domains.defaultHost
  await connection.query(
    `INSERT INTO Link (id, domainId, code, fullShortUrl, url, urlHash, ownerId, title, passwordHash, createdAt, updatedAt, version)
     VALUES (?, 1, ?, ?, 'https://secret.example/', '', ?, 'A title', ?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3), ?)`,
    [id, code, `${host}/${code}`, ownerId, fields.passwordHash ?? null, id],
  )
  return { id, code }
}
beforeEach(async () => {
  link = await keepLink('alice')
})

const share = async (input: object, id = 'alice') => createShare(ctx, by(id), validate(CreateShare, input))
const tokenOf = ({ url: address = '' }: { url?: string | undefined }) => new URL(address).searchParams.get('share') ?? ''
const open = (made: { url?: string | undefined }) => findShare(ctx, tokenOf(made))
const ENDED = { code: 'not_found' }

describe('a share', () => {
  it('is found by its token alone, of which only the hash is kept', async () => {
    const made = await share({ code: link.code })
    const token = tokenOf(made)
    expect(token).toMatch(/^[\w-]{22}$/)
    expect((await open(made)).subject.link?.id).toBe(link.id)
    const [row] = await connection.query<Record<string, unknown>[]>('SELECT * FROM StatsShare WHERE id = ?', [made.id])
    expect(Object.values(row ?? {}).some((value) => String(value).includes(token))).toBe(false)
    for (const wrong of ['', 'x', token.slice(1), `${token.slice(0, -1)}_`, 'A'.repeat(22)]) {
      await expect(findShare(ctx, wrong)).rejects.toMatchObject(ENDED)
    }
  })

  it('has the name that its owner gave it, which visitors are not told', async () => {
    const made = await share({ code: link.code, label: '  Northwind,\tweekly ' })
    expect(made.label).toBe('Northwind, weekly')
    expect((await listShares(ctx, account('alice')))[0]).toMatchObject({ id: made.id, label: 'Northwind, weekly' })
    expect(JSON.stringify(await aboutOf(ctx, await open(made)))).not.toContain('Northwind')
    expect((await share({ code: link.code })).label).toBe('')
    await expect(async () => share({ code: link.code, label: 'x'.repeat(81) })).rejects.toMatchObject({
      code: 'validation_failed',
    })
  })

  it('ends when it is revoked, expires, or its link or account is gone, and is back with them', async () => {
    const made = await share({ code: link.code })
    await expect(revokeShare(ctx, by('bob'), BigInt(made.id))).rejects.toMatchObject(ENDED)
    await connection.query("UPDATE User SET banned = TRUE WHERE id = 'alice'")
    await expect(open(made)).rejects.toMatchObject(ENDED)
    await connection.query("UPDATE User SET banned = FALSE WHERE id = 'alice'")
    await connection.query("UPDATE Link SET ownerId = 'bob' WHERE id = ?", [link.id])
    await expect(open(made)).rejects.toMatchObject(ENDED)
    await connection.query("UPDATE Link SET ownerId = 'alice' WHERE id = ?", [link.id])
    await open(made)
    await revokeShare(ctx, by(), BigInt(made.id))
    await expect(open(made)).rejects.toMatchObject(ENDED)
    const short = await share({ code: link.code, expiresAt: new Date(Date.now() + DAY).toISOString() })
    await connection.query('UPDATE StatsShare SET expiresAt = UTC_TIMESTAMP(3) WHERE id = ?', [short.id])
    await expect(open(short)).rejects.toMatchObject(ENDED)
    const gone = await share({ code: link.code })
    await connection.query('DELETE FROM Link WHERE id = ?', [link.id])
    await expect(open(gone)).rejects.toMatchObject(ENDED)
  })

  it('goes with its account', async () => {
    const own = await keepLink('carol')
    const made = await share({ code: own.code }, 'carol')
    await removeAccount(runtime, 'carol', 'keep')
    await expect(open(made)).rejects.toMatchObject(ENDED)
    expect(await connection.query('SELECT id FROM StatsShare WHERE id = ?', [made.id])).toEqual([])
  })

  it('is of what the account has, and noted in the log with its end', async () => {
    const foreign = await keepLink('bob')
    await expect(share({ code: foreign.code })).rejects.toMatchObject({ code: 'not_found' })
    await expect(share({ tag: 'nobody has it' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(share({ tag: 'a', folder: 'b' })).rejects.toMatchObject({ code: 'validation_failed' })
    await expect(share({ expiresAt: '2020-01-01T00:00:00Z' })).rejects.toMatchObject({ code: 'validation_failed' })
    await expect(share({ password: 'x', embeddable: true })).rejects.toMatchObject({ code: 'validation_failed' })
    const made = await share({ code: link.code, password: 'open' })
    expect((await listShares(ctx, account('alice')))[0]).toMatchObject({
      id: made.id,
      kind: 'link',
      hasPassword: true,
      seenAt: null,
    })
    expect(await listShares(ctx, account('bob'))).toEqual([])
    await noteSeen(ctx, (await open(made)).share)
    expect((await listShares(ctx, account('alice')))[0]?.seenAt).not.toBeNull()
    await revokeShare(ctx, by(), BigInt(made.id))
    const rows = await connection.query<{ action: string }[]>(
      "SELECT action FROM AuditEntry WHERE target = ? AND actorId = 'alice' ORDER BY id",
      [`${runtime.domains.defaultHost}/${link.code}`],
    )
    expect(rows.map(({ action }) => action)).toEqual(['share.create', 'share.revoke'])
  })

  it('opens with its password, which gives a pass that another password ends', async () => {
    const made = await share({ code: link.code, password: 'open sesame' })
    const { share: row } = await open(made)
    await expect(unlock(ctx, row, 'wrong', '192.0.2.1')).rejects.toMatchObject({ errors: [{ path: 'password' }] })
    const pass = await unlock(ctx, row, 'open sesame', '192.0.2.1')
    expect(isUnlocked(ctx, row, pass)).toBe(true)
    for (const wrong of [null, '', 'x.y', `${pass}x`, pass.replace(/^./, 'z')]) expect(isUnlocked(ctx, row, wrong)).toBe(false)
    expect(isUnlocked(ctx, { ...row, passwordHash: 'another' }, pass)).toBe(false)
    expect(isUnlocked(ctx, { ...row, id: 1n }, pass)).toBe(false)
  })

  it('tells numbers, and neither conversions nor what not everyone can see', async () => {
    const now = Date.now() - 1_000
    const secret = await keepLink('alice', { passwordHash: 'x' })
    for (const { id } of [link, secret]) {
      await keepClicks(connection, id, [{ at: now, visitor: 1, destination: 'https://secret.example/a', country: 'DE' }])
    }
    await connection.query('UPDATE Link SET clicks = 1 WHERE id IN (?, ?)', [link.id, secret.id])
    const stats = async (made: { url?: string | undefined }) => sharedStats(ctx, await open(made), StatsQuery.parse({}))
    const one = await share({ code: link.code })
    expect(aboutOf(ctx, await open(one)).about).toMatchObject({ kind: 'link', title: 'A title', url: 'https://secret.example/' })
    expect(await stats(one)).toMatchObject({ totals: { clicks: 1 }, conversions: null, many: null })
    const hidden = await share({ code: secret.code })
    expect(aboutOf(ctx, await open(hidden)).about).toMatchObject({ title: '', url: null })
    const expired = await keepLink('alice')
    await connection.query('UPDATE Link SET expiresAt = UTC_TIMESTAMP(3) - INTERVAL 1 DAY WHERE id = ?', [expired.id])
    const ended = await open(await share({ code: expired.code }))
    expect(aboutOf(ctx, ended).about).toMatchObject({ title: '', url: null })
    const used = await keepLink('alice')
    await keepClicks(connection, used.id, [{ at: now, visitor: 1, destination: 'https://secret.example/a', country: 'DE' }])
    await connection.query('UPDATE Link SET clicks = 1, maxClicks = 1, taken = 1 WHERE id = ?', [used.id])
    const usedUp = await share({ code: used.code })
    expect(aboutOf(ctx, await open(usedUp)).about).toMatchObject({ title: '', url: null })
    expect(JSON.stringify(await stats(usedUp))).not.toContain('secret.example')
    expect(JSON.stringify(await stats(hidden))).not.toContain('secret.example')
    const all = await stats(await share({}))
    expect(all).toMatchObject({ many: { links: expect.any(Number) }, breakdown: { country: [{ value: 'DE' }] } })
    expect(JSON.stringify(all)).not.toContain('secret.example')
  })
})

describe('a badge and a chart', () => {
  it('show clicks of people of 30 days, in the language of the reader, and nothing that could run', async () => {
    const at = Date.now() - 1_000
    await keepClicks(connection, link.id, [
      { at, visitor: 1 },
      { at: at + 1, visitor: 2 },
      { at: at + 2, kind: 'bot' },
    ])
    const shown = await open(await share({ code: link.code, embeddable: true }))
    const recent = await new RecentClicks(ctx).of(shown)
    expect(recent).toMatchObject({ clicks: 2, visitors: 2 })
    expect(recent?.days).toHaveLength(30)
    const badge = badgeOf(recent, new Headers({ 'accept-language': 'de' }))
    expect(badge).toContain('aria-label="Klicks, 30 Tage: 2"')
    const named = { ...shown, subject: { ...shown.subject, name: '<script>"&' } }
    const page = embedPage(named, recent, new Headers(), { name: 'T' })
    expect(page).toContain('&lt;script&gt;')
    expect(page).not.toContain('<script')
    expect(page.match(/<rect/g)).toHaveLength(30)
  })
})
