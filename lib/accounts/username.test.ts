import { beforeAll, describe, expect, it } from 'vitest'
import { patchAccount } from '@/lib/api/account'
import { postUsernameBan, postUsernameUnban } from '@/lib/api/accounts'
import { isLanePath } from '@/lib/codes/reserved'
import type { Runtime } from '@/lib/runtime'
import { PASSWORD, Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { testRedis } from '@/lib/testing/redis'
import { settled, testRuntime } from '@/lib/testing/runtime'
import { DAY } from '@/lib/tools/time'
import { profileOf } from './profile'
import { removeAccount } from './remove'
import { AccountSweeper } from './sweep'
import { viewAccount } from './view'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const settings = { DATABASE_URL: url, REDIS_URL: redis.url, BRAND_NAME: 'Ac-me & Co' }
const ctx = await testRuntime(settings)
const never = await testRuntime({ ...settings, CODE_REUSE_AFTER: 'never' })
beforeAll(() => settled(ctx))

const choose = (visitor: Visitor, username: string | null) => visitor.ask(patchAccount, 'PATCH', '/api/v1/account', { username })

/** Someone with an account, a public page and, if it is theirs to have, a name. */
async function someone(username?: string, runtime: Runtime = ctx) {
  const visitor = new Visitor(runtime)
  const account = await visitor.signUp()
  await connection.query('UPDATE User SET publicProfile = TRUE WHERE id = ?', [account.id])
  if (username !== undefined) expect(await choose(visitor, username)).toMatchObject({ status: 200 })
  return { visitor, ...account }
}

describe('a username', () => {
  it('is another address of the public page, in any case, and the number goes on working', async () => {
    const { visitor, id, handle, email } = await someone(' ＭＩa ')
    expect(await viewAccount(ctx, id)).toMatchObject({ username: 'mia', profileUrl: 'http://terse.test/@mia', handle })
    for (const called of ['mia', 'Mia', handle]) {
      expect(await profileOf(ctx, called)).toMatchObject({ handle, username: 'mia' })
    }
    // One that only looks like it is not answered: there is one way to write it.
    expect(await profileOf(ctx, 'm1a')).toBeNull()
    const back = await visitor.auth('/sign-in/username', { username: handle, password: PASSWORD })
    expect(back).toMatchObject({ status: 200, body: { user: { email } } })
    await connection.query('UPDATE User SET publicProfile = FALSE WHERE id = ?', [id])
    expect(await profileOf(ctx, 'mia')).toBeNull()
  })

  it.each(['mi', 'a'.repeat(31), '1mia', 'mi a', 'mía', 'mi--a', 'mia-', '-mia', 'мія', '12345678', ''])(
    'is not %j',
    async (username) => {
      const { visitor } = await someone()
      expect(await choose(visitor, username)).toMatchObject({ status: 422, body: { errors: [{ path: 'username' }] } })
    },
  )

  it.each([
    ...['admin', 'Adm1n', 'a-d-m-i-n', 'dashboard', 'support', 'robots', 'acmeco', 'fuck', 'f_u_c_k', 'sh1t', 'my-cunt'],
    ...['admln', 'offlcial', 'rnoderator', 'r-n0derator', 'reset-password', 'resetpassw0rd', 'acrneco', 'vvebmaster', 'n199er'],
  ])('is not %s: it is reserved or rude', async (username) => {
    const { visitor } = await someone()
    expect((await choose(visitor, username)).body.detail).toContain('This username isn’t allowed.')
  })

  it('is had by one account, as are those that look like it', async () => {
    const { visitor } = await someone()
    const alike: [string, ...string[]][] = [
      ['anton', 'ANTON', 'ant0n', 'an_ton'],
      ['paul', 'pau1', 'paui'],
      ['wim-zorn9', 'vvlm2om6', 'wlm-2orng'],
      ['mavwood', 'mawvood', 'mavvvood', 'rnawvood'],
      ['dave-q', 'clave-q', 'c1aveq'],
    ]
    for (const names of alike) {
      await someone(names[0])
      for (const taken of names) {
        expect((await choose(visitor, taken)).body.detail, taken).toContain('This username is taken.')
      }
    }
    const racing = await Promise.all(Array.from({ length: 4 }, () => someone()))
    const told = await Promise.all(racing.map(({ visitor }) => choose(visitor, 'racer')))
    expect(told.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422])
  })

  it('rests once it was given up: until then only who had it takes it back', async () => {
    const first = await someone('berta')
    const second = await someone()
    expect(await choose(first.visitor, null)).toMatchObject({ status: 200, body: { username: null } })
    expect(await profileOf(ctx, 'berta')).toBeNull()
    expect((await choose(second.visitor, 'berta')).status).toBe(422)
    expect((await choose(first.visitor, 'berta')).status).toBe(200)
    expect((await choose(first.visitor, 'berta-2')).status).toBe(200)
    await connection.query('UPDATE TakenUsername SET freedAt = freedAt - INTERVAL 91 DAY WHERE userId = ?', [first.id])
    const unending = new Visitor(never)
    await unending.signUp()
    expect((await choose(unending, 'berta')).status).toBe(422)
    expect((await choose(second.visitor, 'berta')).status).toBe(200)
    expect((await choose(first.visitor, 'berta')).status).toBe(422)
    expect(await profileOf(ctx, 'berta')).toMatchObject({ handle: second.handle })
  })

  it('cannot be kept from others by giving up many', async () => {
    const { visitor } = await someone('carla-a')
    for (const letter of ['b', 'c', 'd', 'e', 'f']) expect((await choose(visitor, `carla-${letter}`)).status).toBe(200)
    expect((await choose(visitor, 'carla-g')).body.detail).toContain('given up 5 usernames')
    // To have none is always allowed.
    expect(await choose(visitor, null)).toMatchObject({ status: 200, body: { username: null } })
    expect((await choose(visitor, 'carla-g')).body.detail).toContain('given up 5 usernames')
    expect((await choose(visitor, 'carla-a')).status).toBe(200)
  })

  it('is erased with its account, and rests', async () => {
    const { id } = await someone('dora')
    await removeAccount(ctx, id, 'keep')
    expect(await profileOf(ctx, 'dora')).toBeNull()
    expect(await connection.query('SELECT * FROM User WHERE username = ?', ['dora'])).toEqual([])
    const [row] = await connection.query('SELECT userId, freedAt FROM TakenUsername ORDER BY freedAt DESC LIMIT 1')
    expect(row).toMatchObject({ userId: null, freedAt: expect.any(Date) })
    const { visitor } = await someone()
    expect((await choose(visitor, 'dora')).status).toBe(422)
    await new AccountSweeper(ctx).sweep(Date.now() + 91 * DAY)
    // The session rested longer, too.
    const later = await someone()
    expect((await choose(later.visitor, 'dora')).status).toBe(200)
  })

  it('that is banned is taken from who has it, and nobody can have it, or one that looks like it, until it is unbanned', async () => {
    const admin = await someone()
    await connection.query("UPDATE User SET role = 'admin' WHERE id = ?", [admin.id])
    const [holder, other] = [await someone('emil'), await someone()]
    const ban = (username: string) =>
      admin.visitor.ask(postUsernameBan, 'POST', '/api/v1/admin/usernames/ban', { username, reason: 'A brand' })
    const unban = (username: string) =>
      admin.visitor.ask(postUsernameUnban, 'POST', '/api/v1/admin/usernames/unban', { username })
    const logged = () =>
      connection.query<{ action: string; target: string; details: string }[]>(
        "SELECT action, target, details FROM AuditEntry WHERE action LIKE 'username.%' ORDER BY id",
      )

    expect((await unban('emil')).status).toBe(404)
    expect((await ban('Emil')).status).toBe(204)
    expect(await profileOf(ctx, 'emil')).toBeNull()
    expect(await profileOf(ctx, holder.handle)).toMatchObject({ handle: holder.handle, username: null })
    for (const { visitor } of [holder, other]) {
      for (const name of ['emil', 'em1l', 'e-mil']) {
        expect((await choose(visitor, name)).body.detail, name).toContain('This username isn’t allowed.')
      }
    }
    // No time gives it back, nor the end of its account.
    await connection.query('UPDATE TakenUsername SET freedAt = freedAt - INTERVAL 91 DAY')
    await new AccountSweeper(ctx).sweep()
    await removeAccount(ctx, holder.id, 'keep')
    const later = await someone()
    expect((await choose(later.visitor, 'emil')).status).toBe(422)
    expect((await unban('emil')).status).toBe(204)
    expect((await choose(later.visitor, 'emil')).status).toBe(200)

    // One that is only kept for somebody is gone as well; the name they have now is not.
    expect((await choose(later.visitor, 'emil-2')).status).toBe(200)
    expect((await ban('emil')).status).toBe(204)
    expect((await choose(later.visitor, 'emil')).status).toBe(422)
    expect(await profileOf(ctx, 'emil-2')).toMatchObject({ handle: later.handle })
    const entries = (await logged()).map(({ action, target, details }) => [action, target, JSON.parse(details)])
    expect(entries).toEqual([
      ['username.ban', `account ${holder.handle}`, { username: 'emil', reason: 'A brand' }],
      ['username.unban', 'username emil', { username: 'emil' }],
      ['username.ban', 'username emil', { username: 'emil', reason: 'A brand' }],
    ])
  })

  it('has an address of the app’s own, and no other code is kept from links by it', () => {
    for (const path of ['/@mia', '/@Mia-2?cursor=1', '/@12345678', '/@mia/more']) expect(isLanePath(path)).toBe(false)
    for (const path of ['/@mi', '/@fs/etc', '/mia', '/@1234567', '/@mia.php']) expect(isLanePath(path)).toBe(true)
  })
})
