import { beforeEach, describe, expect, it, vi } from 'vitest'
import { getDeadLetters, postDrop, postRetry } from '@/lib/api/system'
import { Visitor } from '@/lib/testing/accounts'
import { capturedClick, clickCounts, entryOf, makeLink } from '@/lib/testing/counting'
import { testDatabase } from '@/lib/testing/database'
import { eventually } from '@/lib/testing/eventually'
import { openRedis, testRedis } from '@/lib/testing/redis'
import { settled, testRuntime } from '@/lib/testing/runtime'
import { handleDeadLetters, listDeadLetters } from './dead-letters'
import { DeadLetterPage, DeadLettersHandled } from './schemas'
import { ALL_PARTITIONS, ENTRY_FIELDS, partitionKeys } from './stream'

const { url, connection } = await testDatabase()
const server = await testRedis()
const redis = await openRedis(server.url)
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: server.url })
await settled(ctx)

const admin = new Visitor(ctx)
const { id: adminId } = await admin.signUp()
await connection.query("UPDATE User SET role = 'admin' WHERE id = ?", [adminId])

beforeEach(async () => {
  await connection.query('DELETE FROM AuditEntry')
  for (const partition of ALL_PARTITIONS) await redis.client.del(partitionKeys(partition).dead)
})

/** Puts an entry aside, as the consumer does. @returns its id among the dead letters of all partitions */
async function putAside(partition: number, [batch, clicks]: [string, string], reason = 'refused: no'): Promise<string> {
  const [idField, clicksField] = ENTRY_FIELDS
  const { dead } = partitionKeys(partition)
  return `${partition}-${await redis.client.xadd(dead, '*', 'reason', reason, 'entry', '1-1', idField, batch, clicksField, clicks)}`
}

const list = async () => DeadLetterPage.parse((await admin.ask(getDeadLetters, 'GET', '/api/v1/admin/dead-letters')).body)
const act = (name: 'retry' | 'drop', body: unknown) =>
  admin.ask(name === 'retry' ? postRetry : postDrop, 'POST', `/api/v1/admin/dead-letters/${name}`, body)
const audited = () =>
  connection.query<{ action: string; details: string }[]>('SELECT action, details FROM AuditEntry ORDER BY id')

describe('dead letters', () => {
  it('are listed with how many clicks they hold and why, those that cannot be read too', async () => {
    const { id } = await makeLink(ctx.db)
    const good = await putAside(0, entryOf([capturedClick({ linkId: String(id) }), capturedClick({ linkId: String(id) })]))
    const bad = await putAside(3, ['', '{oops'], 'no batch id')
    const { letters, total } = await list()
    expect(total).toBe(2)
    expect(letters).toEqual([
      { id: good, partition: 0, at: expect.any(String), clicks: 2, error: 'refused: no', tries: 3 },
      { id: bad, partition: 3, at: expect.any(String), clicks: 0, error: 'no batch id', tries: 1 },
    ])
    expect(Math.abs(Date.parse(letters[0]?.at ?? '') - Date.now())).toBeLessThan(60_000)
    expect(await audited()).toEqual([])
  })

  it('beyond 200 are counted and not listed', async () => {
    for (let i = 0; i < 210; i++) await putAside(i % 4, ['', ''])
    const { letters, total } = await list()
    expect([letters.length, total]).toEqual([200, 210])
  })

  it('are retried singly: counted, once, and the others stay; who did it is written down', async () => {
    const { id } = await makeLink(ctx.db)
    const entry = entryOf([capturedClick({ linkId: String(id) })])
    const [one, twin, other] = [await putAside(1, entry), await putAside(2, entry), await putAside(1, ['', 'x'])]
    const { status, body } = await act('retry', { ids: [one, twin, one] })
    expect([status, DeadLettersHandled.parse(body)]).toEqual([200, { letters: 2 }])
    await eventually(async () => expect(await clickCounts(connection, id)).toMatchObject({ raw: 1, link: 1 }))
    await eventually(() => expect(ctx.clicks.backlog.entries).toBe(0))
    expect((await list()).letters.map((letter) => letter.id)).toEqual([other])
    const [entryOfAudit] = await audited()
    expect(entryOfAudit?.action).toBe('dead-letters.retry')
    expect(JSON.parse(entryOfAudit?.details ?? '')).toEqual({ letters: 2, ids: [one, twin, one] })
  })

  it('are retried all at once, and one that comes back is not tried for ever', async () => {
    const { id } = await makeLink(ctx.db)
    for (let i = 0; i < 230; i++) await putAside(i % 4, i < 200 ? entryOf([capturedClick({ linkId: String(id) })]) : ['', 'x'])
    expect((await act('retry', {})).body).toEqual({ letters: 230 })
    await vi.waitFor(async () => expect(await clickCounts(connection, id)).toMatchObject({ raw: 200, link: 200 }), {
      timeout: 10_000,
    })
    await vi.waitFor(async () => expect((await list()).total).toBe(30), { timeout: 10_000 })
  })

  it('are dropped singly or all at once', async () => {
    const [one] = [await putAside(0, ['', '']), await putAside(0, ['', '']), await putAside(2, ['', ''])]
    expect((await act('drop', { ids: [one] })).body).toEqual({ letters: 1 })
    expect((await list()).total).toBe(2)
    expect((await act('drop', {})).body).toEqual({ letters: 2 })
    expect((await list()).total).toBe(0)
    expect((await audited()).map(({ action }) => action)).toEqual(['dead-letters.drop', 'dead-letters.drop'])
  })

  it('that are not there, or no ids, are refused, and nothing is written down', async () => {
    expect((await act('drop', {})).status).toBe(404)
    expect((await act('retry', { ids: ['0-1-1'] })).status).toBe(404)
    const kept = await putAside(0, ['', ''])
    for (const id of ['', '1-1', '4-1-1', '9-1-1', '0-1-1 ', '0-*-1', '0-1-18446744073709551616', '-1-1-1', '0-1-1\n']) {
      expect((await act('drop', { ids: [kept, id] })).status).toBe(422)
    }
    expect((await act('drop', { ids: [] })).status).toBe(422)
    expect((await list()).total).toBe(1)
    expect(await audited()).toEqual([])
  })

  it('are for admins', async () => {
    const visitor = new Visitor(ctx)
    await visitor.signUp()
    await putAside(0, ['', ''])
    expect((await visitor.ask(getDeadLetters, 'GET', '/api/v1/admin/dead-letters')).status).toBe(403)
    expect((await visitor.ask(postDrop, 'POST', '/api/v1/admin/dead-letters/drop', {})).status).toBe(403)
    expect((await list()).total).toBe(1)
  })

  it('without Redis are told to be out of reach', async () => {
    await server.kill('SIGKILL')
    await expect(listDeadLetters(ctx)).rejects.toMatchObject({ code: 'unavailable' })
    await expect(handleDeadLetters(ctx, 'drop', undefined)).rejects.toMatchObject({ code: 'unavailable' })
    await expect(handleDeadLetters(ctx, 'retry', ['0-1-1'])).rejects.toMatchObject({ code: 'unavailable' })
    await server.start()
  })
})
