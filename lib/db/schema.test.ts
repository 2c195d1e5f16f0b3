import { afterAll, describe, expect, it } from 'vitest'
import { insertLinks } from '@/lib/links/insert'
import { connectTo, emptyDatabase } from '@/lib/testing/database'
import { deletedRow, freshCode, HOST, linkRow } from '@/lib/testing/links'
import { readPrismaSchema, type SchemaColumn, type SchemaIndex } from '@/lib/testing/prisma-schema'
import { openDatabase } from './client'
import { isUniqueViolation } from './errors'
import { Prisma } from './generated/client'
import { migrate } from './migrate'

const url = await emptyDatabase()
await migrate(url)
const connection = await connectTo(url)
const database = openDatabase(url, 2)
afterAll(async () => {
  await database.$disconnect()
  await connection.end()
})
const models = readPrismaSchema()

interface ColumnRow {
  name: string
  type: string
  nullable: string
  given: string | null
  extra: string
  collation: string | null
}

const columnRows = (table: string) =>
  connection.query<ColumnRow[]>(
    `SELECT COLUMN_NAME AS name, COLUMN_TYPE AS type, IS_NULLABLE AS nullable, COLUMN_DEFAULT AS given, EXTRA AS extra,
       COLLATION_NAME AS collation
     FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? ORDER BY ORDINAL_POSITION`,
    [table],
  )

async function columnsOf(table: string): Promise<SchemaColumn[]> {
  return (await columnRows(table)).map(({ name, type, nullable, given, extra }) => ({
    name,
    // MariaDB still writes the display width of integers, MySQL only that of BOOLEAN.
    type: type === 'tinyint(1)' ? type : type.replace(/^(tinyint|smallint|int|bigint)\(\d+\)/, '$1'),
    nullable: nullable === 'YES',
    // MariaDB writes a default as SQL, MySQL as text.
    default: given === null || given === 'NULL' ? null : given.replace(/^'(.*)'$/, '$1'),
    autoIncrement: /auto_increment/i.test(extra),
  }))
}

async function indexesOf(table: string): Promise<SchemaIndex[]> {
  const rows = await connection.query<{ name: string; field: string; duplicates: number | bigint; part: unknown }[]>(
    `SELECT INDEX_NAME AS name, COLUMN_NAME AS field, NON_UNIQUE AS duplicates, SUB_PART AS part
     FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? ORDER BY INDEX_NAME, SEQ_IN_INDEX`,
    [table],
  )
  const indexes = new Map<string, SchemaIndex>()
  for (const { name, field, duplicates, part } of rows) {
    expect(part, `${table}.${name} indexes the whole of ${field}`).toBeNull()
    const index = indexes.get(name) ?? { name, columns: [], unique: Number(duplicates) === 0 }
    index.columns.push(field)
    indexes.set(name, index)
  }
  return [...indexes.values()]
}

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)

describe('the migrated database', () => {
  it('has the tables of prisma/schema.prisma and no others', async () => {
    const tables = await connection.query<{ name: string; engine: string }[]>(
      'SELECT TABLE_NAME AS name, ENGINE AS engine FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()',
    )
    expect(tables.map(({ name }) => name).sort()).toEqual([...models.map(({ name }) => name), '_prisma_migrations'].sort())
    expect(tables.filter(({ engine }) => engine !== 'InnoDB')).toEqual([])
    expect(models.map(({ name }) => name).sort()).toEqual(Object.keys(Prisma.ModelName).sort())
  })

  it.each(models)('has the columns of $name, one by one', async ({ name, columns }) => {
    expect([...(await columnsOf(name))].sort(byName)).toEqual([...columns].sort(byName))
  })

  it.each(models)('has the indexes of $name, one by one', async ({ name, indexes }) => {
    expect([...(await indexesOf(name))].sort(byName)).toEqual([...indexes].sort(byName))
  })

  it('compares codes, full short URLs and hosts byte for byte, whatever the default collation is', async () => {
    for (const [table, column] of [
      ['Link', 'code'],
      ['Link', 'fullShortUrl'],
      ['DeletedLink', 'code'],
      ['DeletedLink', 'fullShortUrl'],
      ['Outbox', 'fullShortUrl'],
      ['Domain', 'host'],
    ] as const) {
      const row = (await columnRows(table)).find(({ name }) => name === column)
      expect(row?.collation, `${table}.${column}`).toBe('utf8mb4_bin')
    }
  })
})

describe('full short URLs', () => {
  it('that differ in case, accent or width only are different links', async () => {
    const stem = freshCode()
    const codes = ['aB', 'Ab', 'AB', 'ab', 'åB', 'ａB', 'aＢ', 'ß', 'ss'].map((code) => `${stem}${code}`)
    await insertLinks(
      database,
      codes.map((code) => linkRow({ code, url: `https://example.com/#${code}` })),
    )
    for (const code of codes) {
      const link = await database.link.findUnique({ where: { fullShortUrl: `${HOST}/${code}` } })
      expect(link?.code).toBe(code)
    }
  })

  it('are unique, and the index that says so is the one that the code asks for', async () => {
    const link = linkRow()
    await insertLinks(database, [link])
    const again = insertLinks(database, [linkRow({ code: link.code })])
    await expect(
      again.then(
        () => null,
        (error: unknown) => isUniqueViolation(error, 'Link_fullShortUrl_key'),
      ),
    ).resolves.toBe(true)
  })

  it('may be as long as the longest host and the longest code together', async () => {
    const fullShortUrl = `${'h'.repeat(253)}/${'𐐀'.repeat(128)}`
    const link = linkRow({ code: '𐐀'.repeat(128), fullShortUrl })
    await insertLinks(database, [link])
    expect(await database.link.findUnique({ where: { fullShortUrl } })).toMatchObject({ id: link.id, fullShortUrl })
    await database.deletedLink.create({ data: deletedRow(link) })
    expect(await database.deletedLink.findUnique({ where: { fullShortUrl } })).toMatchObject({ id: link.id, fullShortUrl })
  })
})

describe('a link row', () => {
  it('is read as it was written, in every column and to the millisecond', async () => {
    const link = linkRow({
      url: `https://example.com/${'x'.repeat(8_172)}`,
      ownerId: 'f'.repeat(36),
      manageTokenHash: Buffer.alloc(32, 255),
      title: '𝒯itle ’'.padEnd(255, '春'),
      redirectStatus: 308,
      passwordHash: 'p'.repeat(255),
      startsAt: new Date('2026-03-29T01:30:00.123Z'),
      expiresAt: new Date('9998-12-31T23:59:59.999Z'),
      expiredUrl: 'https://example.com/over',
      maxClicks: 2_000_000_000,
      state: 'disabled',
      shared: true,
      clicks: 2n ** 62n,
    })
    await insertLinks(database, [link])
    const read = await database.link.findUnique({ where: { id: link.id } })
    expect(read && { ...read, urlHash: Buffer.from(read.urlHash) }).toEqual({ ...link, manageTokenHash: expect.anything() })
    expect(Buffer.from(read?.manageTokenHash ?? [])).toEqual(link.manageTokenHash)
  })
})
