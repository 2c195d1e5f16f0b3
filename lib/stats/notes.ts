import type { DatabaseGateway } from '@/lib/db/gateway'
import type { LinkNote } from '@/lib/db/generated/client'
import { nextId } from '@/lib/db/id'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { groupBy } from '@/lib/tools/group-by'
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

/** The latest notes of several links, in order of time, and which of them each is of. @throws TerseError 'unavailable' */
export async function latestNotesOf({ db }: NotesContext, linkIds: readonly bigint[]): Promise<{ linkId: bigint; note: Note }[]> {
  const rows = await db.read((client) =>
    client.linkNote.findMany({ where: { linkId: { in: [...linkIds] } }, orderBy: [{ at: 'desc' }, { id: 'desc' }], take: MOST }),
  )
  return rows.toReversed().map((row) => ({ linkId: row.linkId, note: toView(row) }))
}

/** What was noted of some links, by their ids; those without notes are left out. @throws TerseError 'unavailable' */
export async function notesOf({ db }: NotesContext, linkIds: readonly bigint[]): Promise<Map<bigint, Note[]>> {
  const rows = await db.read((client) =>
    client.linkNote.findMany({ where: { linkId: { in: [...linkIds] } }, orderBy: [{ linkId: 'asc' }, { at: 'asc' }] }),
  )
  return new Map([...groupBy(rows, ({ linkId }) => linkId)].map(([linkId, notes]) => [linkId, notes.map(toView)]))
}

/** @throws TerseError 'gone' when the link was deleted meanwhile, 'conflict' when it has too many notes, 'unavailable' */
export async function createNote(
  { db }: NotesContext,
  linkId: bigint,
  { at, text }: CreateNote,
  now = new Date(),
): Promise<Note> {
  const note: LinkNote = { id: nextId(), linkId, at: at ?? now, text }
  await db.atomic(async (tx) => {
    // Locked: of many notes at once none passes the limit, and none is left behind by a link that is gone for good.
    const links = await tx.$queryRaw<unknown[]>`SELECT id FROM Link WHERE id = ${linkId} FOR UPDATE`
    if (links.length === 0) throw new TerseError('gone', say('api.link.deleted'))
    if ((await tx.linkNote.count({ where: { linkId } })) >= MOST) {
      throw new TerseError('conflict', say('api.stats.tooManyNotes', { most: MOST }))
    }
    await tx.linkNote.createMany({ data: [note] })
  })
  return toView(note)
}

/** @throws TerseError 'not_found', 'unavailable' */
export async function deleteNote({ db }: NotesContext, linkId: bigint, id: bigint): Promise<void> {
  const { count } = await db.write((client) => client.linkNote.deleteMany({ where: { id, linkId } }))
  if (count === 0) throw new TerseError('not_found', say('api.note.none'))
}

const toView = ({ id, at, text }: LinkNote): Note => ({ id: id.toString(), at: at.toISOString(), text })
