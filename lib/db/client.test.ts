import { afterEach, describe, expect, it } from 'vitest'
import { insertLinks } from '@/lib/links/insert'
import { atEnd } from '@/lib/testing/cleanup'
import { cutAfter } from '@/lib/testing/cut'
import { testDatabase } from '@/lib/testing/database'
import { deletedRow, linkRow } from '@/lib/testing/links'
import { parseDatabaseUrl } from '@/lib/tools/database-url'
import { openDatabase } from './client'
import { DatabaseGateway } from './gateway'

const { url } = await testDatabase()

describe('times', () => {
  const zone = process.env.TZ
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  })

  it.each(['UTC', 'America/New_York', 'Pacific/Auckland'])(
    'are kept to the millisecond, by Prisma and by plain SQL, by a process in the zone %s',
    async (name) => {
      process.env.TZ = name
      expect(new Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(name)
      const db = new DatabaseGateway(url, 2)
      atEnd(() => db.close())
      // The second does not exist in New York, the third twice.
      for (const text of ['2027-01-01T12:00:00.123Z', '2026-03-08T02:30:00.000Z', '2026-11-01T01:30:00.500Z']) {
        const [startsAt, expiresAt] = [new Date(text), new Date('2099-12-31T23:59:59.999Z')]
        const link = linkRow({ startsAt, expiresAt })
        await insertLinks(db.client, [link])
        const [row] = await db.rows<object>('SELECT startsAt, expiresAt, expiredUrl FROM Link WHERE id = ?', link.id)
        expect(row).toEqual({ startsAt, expiresAt, expiredUrl: null })
        const [none] = await db.rows<object>('SELECT startsAt FROM Link WHERE id <> ? AND startsAt IS NULL LIMIT 1', link.id)
        expect(none ?? { startsAt: null }).toEqual({ startsAt: null })
        expect(await db.client.link.findUnique({ where: { id: link.id } })).toMatchObject({ startsAt, expiresAt })
        expect(await db.client.link.count({ where: { id: link.id, startsAt: { lte: startsAt, gte: startsAt } } })).toBe(1)
        await db.client.deletedLink.create({ data: deletedRow(link, startsAt) })
        const [deleted] = await db.rows<object>('SELECT deletedAt FROM DeletedLink WHERE id = ?', link.id)
        expect(deleted).toEqual({ deletedAt: startsAt })
      }
    },
  )
})

describe('a connection', () => {
  // vitest fails the run on a rejection that nobody holds, and node ends the process.
  it.each([1, 2, 3])(
    'that is lost when the client speaks for time %i is an error of the query and ends no process',
    async (times) => {
      const rejections: unknown[] = []
      const listen = (reason: unknown) => rejections.push(reason)
      process.on('unhandledRejection', listen)
      atEnd(() => process.off('unhandledRejection', listen))
      const db = new DatabaseGateway(await cutAfter(times, url), 1)
      const query = async () => db.rows('SELECT 1')
      const prisma = async () => db.read((client) => client.$queryRaw`SELECT 1`)
      const results = await Promise.allSettled([query(), prisma()])
      if (times <= 2) expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
      await db.close()
      expect(rejections).toEqual([])
    },
  )

  it('is set up without a statement that could be cut off', async () => {
    const database = openDatabase(url, 1)
    atEnd(() => database.$disconnect())
    const rows = await database.$queryRaw<{ collation: string; charset: string }[]>`
      SELECT @@collation_connection AS collation, @@character_set_client AS charset`
    expect(rows).toEqual([{ collation: 'utf8mb4_bin', charset: 'utf8mb4' }])
  })

  it('is made with what the URL says, percent-decoded', () => {
    expect(parseDatabaseUrl('mysql://us%40er:p%2Fw%3A@db.example:3307/na%20me')).toEqual({
      host: 'db.example',
      port: 3307,
      user: 'us@er',
      password: 'p/w:',
      database: 'na me',
      stream: expect.any(Function),
      permitRedirect: false,
    })
    expect(parseDatabaseUrl('mariadb://u@h/d')).toMatchObject({ port: 3306, password: '' })
  })
})
