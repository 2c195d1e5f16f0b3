import type { DatabaseGateway } from '@/lib/db/gateway'
import type { LinkNote } from '@/lib/db/generated/client'
import { nextId } from '@/lib/db/id'
import { TerseError } from '@/lib/errors'
import type { CreateNote, Note } from './schemas'

/** Notes of one link: more would hide its chart. */
const MOST = 200

interface NotesContext {
  db: DatabaseGateway
}

/** What was noted of a link, in order of time. @throws TerseError 'unavailable' */
export async function listNotes({ db }: NotesContext, linkId: bigint): Promise<Note[]> {
  const rows = await db.read((client) =>
    client.linkNote.findMany({ where: { linkId }, orderBy: [{ at: 'asc' }, { id: 'asc' }], take: MOST }),
  )
  return rows.map(toView)
}

/** @throws TerseError 'conflict' when a link has too many, 'unavailable' */
export async function createNote(
  { db }: NotesContext,
  linkId: bigint,
  { at, text }: CreateNote,
  now = new Date(),
): Promise<Note> {
  // Two at once may make it one more than that, which harms nobody.
  const count = await db.read((client) => client.linkNote.count({ where: { linkId } }))
  if (count >= MOST) throw new TerseError('conflict', `A link has ${MOST} notes at most. Delete one first.`)
  return toView(await db.write((client) => client.linkNote.create({ data: { id: nextId(), linkId, at: at ?? now, text } })))
}

/** @throws TerseError 'not_found', 'unavailable' */
export async function deleteNote({ db }: NotesContext, linkId: bigint, id: bigint): Promise<void> {
  const { count } = await db.write((client) => client.linkNote.deleteMany({ where: { id, linkId } }))
  if (count === 0) throw new TerseError('not_found', 'There is no such note.')
}

const toView = ({ id, at, text }: LinkNote): Note => ({ id: id.toString(), at: at.toISOString(), text })
