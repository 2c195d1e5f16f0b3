import { expect, it } from 'vitest'
import { purgeClicks } from '@/lib/clicks/sweep'
import { DatabaseGateway } from '@/lib/db/gateway'
import { nextId } from '@/lib/db/id'
import { atEnd } from '@/lib/testing/cleanup'
import { testDatabase } from '@/lib/testing/database'
import { createNote, deleteNote, listNotes } from './notes'
import { CreateNote } from './schemas'

const { url, connection } = await testDatabase()
const db = new DatabaseGateway(url, 8)
atEnd(() => db.close())
const ctx = { db }
const NOW = new Date('2026-11-22T10:00:00Z')

it('notes of a link are listed in order of time, and only its own', async () => {
  const [link, other] = [nextId(), nextId()]
  await createNote(ctx, link, CreateNote.parse({ text: 'Newsletter sent' }), NOW)
  await createNote(ctx, link, CreateNote.parse({ text: ' Poster\nup ', at: '2026-11-01T00:00:00+01:00' }))
  await createNote(ctx, other, CreateNote.parse({ text: 'Elsewhere' }))
  expect(await listNotes(ctx, link)).toMatchObject([
    { text: 'Poster up', at: '2026-10-31T23:00:00.000Z' },
    { text: 'Newsletter sent', at: NOW.toISOString() },
  ])
})

it('a note is deleted by its link alone, and once', async () => {
  const [link, other] = [nextId(), nextId()]
  const id = BigInt((await createNote(ctx, link, CreateNote.parse({ text: 'Sent' }))).id)
  await expect(deleteNote(ctx, other, id)).rejects.toMatchObject({ code: 'not_found' })
  await deleteNote(ctx, link, id)
  await expect(deleteNote(ctx, link, id)).rejects.toMatchObject({ code: 'not_found' })
  expect(await listNotes(ctx, link)).toEqual([])
})

it('a link has 200 notes at most', async () => {
  const link = nextId()
  await db.client.linkNote.createMany({
    data: Array.from({ length: 200 }, () => ({ id: nextId(), linkId: link, at: NOW, text: 'Sent' })),
  })
  await expect(createNote(ctx, link, CreateNote.parse({ text: 'One more' }))).rejects.toMatchObject({ code: 'conflict' })
  expect(await listNotes(ctx, link)).toHaveLength(200)
})

it('notes go with their link, once it is gone for good', async () => {
  const link = nextId()
  await createNote(ctx, link, CreateNote.parse({ text: 'Sent' }))
  await connection.query('INSERT INTO ClickPurge VALUES (?)', [link])
  await purgeClicks(db)
  expect(await listNotes(ctx, link)).toEqual([])
})

it.each([
  { text: '' },
  { text: '\u200b' },
  { text: 'x'.repeat(141) },
  { text: 'a', at: 'yesterday' },
  { text: 'a', at: '2300-01-01T00:00:00Z' },
])('a note without a text or with an impossible time is refused: %j', (body) => {
  expect(CreateNote.safeParse(body).success).toBe(false)
})
