import { beforeAll, describe, expect, it, vi } from 'vitest'
import { Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { freshCode } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { settled, testRuntime } from '@/lib/testing/runtime'
import { getJob, postStart } from './jobs'
import { postImport } from './links-import'

const { url } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
const [admin, mia, someone] = [new Visitor(ctx), new Visitor(ctx), new Visitor(ctx)]
let [miaId, miaEmail] = ['', '']
beforeAll(async () => {
  await settled(ctx)
  await admin.signUpAsAdmin()
  await someone.signUp()
  ;({ id: miaId, email: miaEmail } = await mia.signUp())
})

const UNKNOWN = 'nobody@old.example'
const rowsOf = (codes: readonly string[]) =>
  codes.map((code, i) => ({ url: 'https://example.com/', code, owner: [miaEmail.toUpperCase(), UNKNOWN][i] }))

async function reached(by: Visitor, number: string, state: string) {
  return vi.waitFor(
    async () => {
      const { body } = await by.ask(getJob, 'GET', `/api/v1/jobs/${number}`, undefined, {}, { number })
      expect(body.state).toBe(state)
      return body
    },
    { timeout: 30_000, interval: 20 },
  )
}

async function checked(by: Visitor, codes: readonly string[]) {
  const { body } = await by.ask(postImport, 'POST', '/api/v1/links/import?dryRun=true', rowsOf(codes))
  return reached(by, body.number, 'checked')
}

const start = (by: Visitor, number: string, body?: unknown) =>
  by.ask(postStart, 'POST', `/api/v1/jobs/${number}/start`, body, {}, { number })

describe('owners of an old system', () => {
  it('are shown to an admin with the account that each has here, who says whose links they become', async () => {
    const codes = [freshCode(), freshCode()]
    const { number, owners } = await checked(admin, codes)
    expect(owners).toEqual([
      { name: miaEmail.toUpperCase(), links: 1, account: miaEmail },
      { name: UNKNOWN, links: 1, account: null },
    ])
    const refused = await start(admin, number, { owners: { [UNKNOWN]: 'ghost@example.com' } })
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ path: `owners.${UNKNOWN}` }] } })
    expect((await start(admin, number, { owners: { [miaEmail.toUpperCase()]: miaEmail } })).status).toBe(200)
    await reached(admin, number, 'done')
    const links = await Promise.all(
      codes.map((code) => ctx.db.client.link.findUniqueOrThrow({ where: { fullShortUrl: `terse.test/${code}` } })),
    )
    expect(links[0]?.ownerId).toBe(miaId)
    expect(links[1]?.ownerId).not.toBe(miaId)
  })

  it('tell nobody else who has an account, and become the importer’s', async () => {
    const { number, owners } = await checked(someone, [freshCode(), freshCode()])
    expect(owners).toEqual([
      { name: miaEmail.toUpperCase(), links: 1 },
      { name: UNKNOWN, links: 1 },
    ])
    expect((await start(someone, number, { owners: { [UNKNOWN]: miaEmail } })).status).toBe(403)
    // Without a body, as before.
    expect((await start(someone, number)).status).toBe(200)
    await reached(someone, number, 'done')
  })

  it('are looked up once for each account, up to a thousand names, and only for a dry run that waits', async () => {
    const { number } = await checked(admin, [freshCode()])
    const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`owner ${n}`, spelled(n)]))
    const spelled = (n: number) => (n % 2 ? ` ${miaEmail}` : miaEmail.toUpperCase())
    const tooMany = await start(admin, number, { owners: named(1_001) })
    expect(tooMany).toMatchObject({ status: 422, body: { errors: [{ path: 'owners' }] } })
    const read = vi.spyOn(ctx.db, 'read')
    try {
      const reads = async (owners: object, status: number) => {
        read.mockClear()
        expect(await start(admin, number, { owners })).toMatchObject({ status })
        return read.mock.calls.length
      }
      const few = await reads({ A: 'ghost@example.com' }, 422)
      expect(await reads({ ...named(999), A: 'ghost@example.com' }, 422)).toBe(few + 1)
      expect(await reads(named(999), 200)).toBeLessThan(20)
    } finally {
      read.mockRestore()
    }
    await reached(admin, number, 'done')
    expect((await start(admin, number, { owners: { A: 'ghost@example.com' } })).status).toBe(409)
  })
})
