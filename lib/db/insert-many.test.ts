import { afterAll, expect, it } from 'vitest'
import { testDatabase } from '@/lib/testing/database'
import { deletedRow, linkRow } from '@/lib/testing/links'
import { DatabaseGateway } from './gateway'
import { insertMany } from './insert-many'

const { url } = await testDatabase()
const db = new DatabaseGateway(url, 2)
afterAll(() => db.close())

it('rows are read as they were given: times, bytes, nothing, and texts with what SQL gives a meaning', async () => {
  const rows = ['plain', "it's ? ?? :a $1 \\", 'Grüße 👋 日本語', ''].map((title, index) =>
    deletedRow(
      linkRow({ title, manageTokenHash: index % 2 === 0 ? null : Buffer.alloc(32, index), ownerId: index === 3 ? null : title }),
      new Date(Date.UTC(2026, 9, 25, 0, 30, 0, index)),
    ),
  )
  await db.write((client) => insertMany(client, 'DeletedLink', rows))
  await db.write((client) => insertMany(client, 'DeletedLink', []))
  const ids = rows.map(({ id }) => id)
  const found = await db.client.deletedLink.findMany({ where: { id: { in: ids } }, orderBy: { id: 'asc' } })
  expect(found.map((row) => ({ ...row, manageTokenHash: row.manageTokenHash && Buffer.from(row.manageTokenHash) }))).toEqual(rows)
})
