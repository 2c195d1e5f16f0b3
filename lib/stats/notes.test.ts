import { expect, it } from 'vitest'
import { purgeClicks } from '@/lib/clicks/sweep'
import { DatabaseGateway } from '@/lib/db/gateway'
import { nextId } from '@/lib/db/id'
import { atEnd } from '@/lib/testing/cleanup'
import { testDatabase } from '@/lib/testing/database'
import { linkRow } from '@/lib/testing/links'
import { createNote, deleteNote, listNotes } from './notes'
import { CreateNote } from './schemas'

const { url, connection } = await testDatabase()
const db = new DatabaseGateway(url, 8)
atEnd(() => db.close())
const ctx = { db }
const NOW = new Date('2026-11-22T10:00:00Z')
const newLink = async () => {
  const link = linkRow()
  await db.client.link.createMany({ data: [link] })
  return link.id
}

it('notes of a link are listed in order of time, and only its own', async () => {
  const [link, other] = [await newLink(), await newLink()]
  await createNote(ctx, link, CreateNote.parse({ text: 'Newsletter sent' }), NOW)
  await createNote(ctx, link, CreateNote.parse({ text: ' Poster\nup ', at: '2026-11-01T00:00:00+01:00' }))
  await createNote(ctx, other, CreateNote.parse({ text: 'Elsewhere' }))
  expect(await listNotes(ctx, link)).toMatchObject([
    { text: 'Poster up', at: '2026-10-31T23:00:00.000Z' },
    { text: 'Newsletter sent', at: NOW.toISOString() },
  ])
})

it('a note is deleted by its link alone, and once', async () => {
  const [link, other] = [await newLink(), await newLink()]
  const id = BigInt((await createNote(ctx, link, CreateNote.parse({ text: 'Sent' }))).id)
  await expect(deleteNote(ctx, other, id)).rejects.toMatchObject({ code: 'not_found' })
  await deleteNote(ctx, link, id)
  await expect(deleteNote(ctx, link, id)).rejects.toMatchObject({ code: 'not_found' })
  expect(await listNotes(ctx, link)).toEqual([])
})

it('a link has 200 notes at most', async () => {
  const link = await newLink()
  await db.client.linkNote.createMany({
    data: Array.from({ length: 200 }, () => ({ id: nextId(), linkId: link, at: NOW, text: 'Sent' })),
  })
  await expect(createNote(ctx, link, CreateNote.parse({ text: 'One more' }))).rejects.toMatchObject({ code: 'conflict' })
  expect(await listNotes(ctx, link)).toHaveLength(200)
})

it('a link has 200 notes at most, with 8 written at once too', async () => {
  const link = await newLink()
  const data = Array.from({ length: 199 }, () => ({ id: nextId(), linkId: link, at: NOW, text: 'Sent' }))
  await db.client.linkNote.createMany({ data })
  const notes = Array.from({ length: 8 }, () => createNote(ctx, link, CreateNote.parse({ text: 'One more' })))
  const results = await Promise.allSettled(notes)
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await db.client.linkNote.count({ where: { linkId: link } })).toBe(200)
})

it('a link that was deleted gets no more notes', async () => {
  const link = nextId()
  await expect(createNote(ctx, link, CreateNote.parse({ text: 'Late' }))).rejects.toMatchObject({ code: 'gone' })
  expect(await db.client.linkNote.count({ where: { linkId: link } })).toBe(0)
})

it('notes go with their link, once it is gone for good', async () => {
  const link = await newLink()
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
