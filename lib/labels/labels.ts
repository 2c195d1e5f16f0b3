import type { Transaction } from '@/lib/db/client'
import { isUniqueViolation } from '@/lib/db/errors'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { nextId } from '@/lib/db/id'
import { deleteInPieces, pieces } from '@/lib/db/pieces'
import { invalidField, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { nameKeyOf } from './names'
import { byName } from './order'
import type { Filing, FilingQuery, Labels, LabelView } from './schemas'
import { LABEL_KINDS, type LabelKind, MOST_NAMES } from './values'

export interface LabelContext {
  db: DatabaseGateway
}

/** A label by what it is called. */
export interface Wanted {
  kind: LabelKind
  name: string
}

/** Ids of labels that are known. */
export class KnownLabels {
  private readonly ids = new Map<string, bigint>()

  add(kind: number, nameKey: string, id: bigint): void {
    this.ids.set(`${kind} ${nameKey}`, id)
  }

  id({ kind, name }: Wanted): bigint | undefined {
    return this.ids.get(`${LABEL_KINDS[kind]} ${nameKeyOf(name)}`)
  }
}

/** The labels of what is said of a link. */
export const labelsIn = ({ tags = [], folder, archived, favorite }: Partial<Filing>): Wanted[] => [
  ...tags.map((name): Wanted => ({ kind: 'tag', name })),
  ...(folder ? [{ kind: 'folder', name: folder } as const] : []),
  ...(archived ? [{ kind: 'archived', name: '' } as const] : []),
  ...(favorite ? [{ kind: 'favorite', name: '' } as const] : []),
]

/** The labels that a list is filtered by. */
export const labelsAsked = ({ tag, folder, archived, favorite }: FilingQuery): Wanted[] => [
  ...(tag ? [{ kind: 'tag', name: tag } as const] : []),
  ...(folder ? [{ kind: 'folder', name: folder } as const] : []),
  ...(favorite ? [{ kind: 'favorite', name: '' } as const] : []),
  ...(archived === 'true' ? [{ kind: 'archived', name: '' } as const] : []),
]

/** Those of these labels that an account has. @throws TerseError 'unavailable' */
export function findLabels({ db }: LabelContext, ownerId: string, wanted: readonly Wanted[]): Promise<KnownLabels> {
  return readLabels((sql, values) => db.rows(sql, ...values), ownerId, wanted)
}

/** Labels that one statement looks for. */
const AT_ONCE = 200

interface Row {
  id: bigint
  kind: number
  nameKey: string
}

async function readLabels(
  rows: (sql: string, values: unknown[]) => Promise<Row[]>,
  ownerId: string,
  wanted: readonly Wanted[],
): Promise<KnownLabels> {
  const known = new KnownLabels()
  const keys = [...new Map(wanted.map(({ kind, name }) => [`${kind} ${name}`, [LABEL_KINDS[kind], nameKeyOf(name)]])).values()]
  for (const some of pieces(keys, AT_ONCE)) {
    const sql = `SELECT id, kind, nameKey FROM Label WHERE ${some.map(() => 'ownerId = ? AND kind = ? AND nameKey = ?').join(' OR ')}`
    const values = some.flatMap((key) => [ownerId, ...key])
    for (const { id, kind, nameKey } of await rows(sql, values)) known.add(Number(kind), nameKey, id)
  }
  return known
}

/**
 * The same, after creating those that are missing.
 * @returns without those that an account has no room for: see `requireLabels`
 */
export async function ensureLabels(ctx: LabelContext, ownerId: string, wanted: readonly Wanted[]): Promise<KnownLabels> {
  const known = await findLabels(ctx, ownerId, wanted)
  if (wanted.every((one) => known.id(one) !== undefined)) return known
  return ctx.db.atomicOf(ownerId, async (tx) => {
    const now = await readLabels((sql, values) => tx.$queryRawUnsafe(sql, ...values), ownerId, wanted)
    for (const kind of Object.keys(LABEL_KINDS) as LabelKind[]) await createMissing(tx, ownerId, kind, wanted, now)
    return now
  })
}

/** How many more of a kind an account may have. */
const roomFor = async (tx: Pick<Transaction, 'label'>, ownerId: string, kind: LabelKind): Promise<number> =>
  MOST_NAMES - (await tx.label.count({ where: { ownerId, kind: LABEL_KINDS[kind] } }))

/**
 * What `ensureLabels` would return, without creating any.
 * @param thought those that would have been created by now, to which these are added
 */
export async function rehearseLabels(
  ctx: LabelContext,
  ownerId: string,
  wanted: readonly Wanted[],
  thought: Set<string>,
): Promise<KnownLabels> {
  const known = await findLabels(ctx, ownerId, wanted)
  for (const kind of Object.keys(LABEL_KINDS) as LabelKind[]) {
    const keys = [
      ...new Set(wanted.filter((one) => one.kind === kind && known.id(one) === undefined).map(({ name }) => nameKeyOf(name))),
    ]
    if (keys.length === 0) continue
    const nameOf = (key: string) => `${kind} ${key}`
    const before = [...thought].filter((name) => name.startsWith(nameOf(''))).length
    const room = Math.max(0, (await ctx.db.read((client) => roomFor(client, ownerId, kind))) - before)
    const added = keys.filter((key) => !thought.has(nameOf(key))).slice(0, room)
    for (const key of added) thought.add(nameOf(key))
    for (const key of keys) if (thought.has(nameOf(key))) known.add(LABEL_KINDS[kind], key, 0n)
  }
  return known
}

async function createMissing(
  tx: Transaction,
  ownerId: string,
  kind: LabelKind,
  wanted: readonly Wanted[],
  known: KnownLabels,
): Promise<void> {
  // Of spellings that differ in case the first is kept.
  const missing = new Map(
    wanted
      .toReversed()
      .filter((one) => one.kind === kind && known.id(one) === undefined)
      .map(({ name }) => [nameKeyOf(name), name]),
  )
  if (missing.size === 0) return
  const room = await roomFor(tx, ownerId, kind)
  const data = [...missing]
    .slice(0, Math.max(0, room))
    .map(([nameKey, name]) => ({ id: nextId(), ownerId, kind: LABEL_KINDS[kind], name, nameKey }))
  await tx.label.createMany({ data })
  for (const { id, nameKey } of data) known.add(LABEL_KINDS[kind], nameKey, id)
}

/** The ids of all of these. @throws TerseError 'validation_failed' for one that the account had no room for */
export function requireLabels(known: KnownLabels, wanted: readonly Wanted[]): bigint[] {
  return wanted.map((one) => {
    const id = known.id(one)
    if (id === undefined)
      throw invalidField(one.kind === 'tag' ? 'tags' : one.kind, say('api.label.tooMany', { most: MOST_NAMES }))
    return id
  })
}

/** All tags and folders of an account, by name. @throws TerseError 'unavailable' */
export async function listLabels({ db }: LabelContext, ownerId: string): Promise<Labels> {
  const where = { ownerId, kind: { in: [LABEL_KINDS.tag, LABEL_KINDS.folder] } }
  const rows = await db.read((client) => client.label.findMany({ where }))
  const of = (kind: number): LabelView[] =>
    rows
      .filter((row) => row.kind === kind)
      .sort(byName)
      .map(({ id, name }) => ({ id: id.toString(), name }))
  return { tags: of(LABEL_KINDS.tag), folders: of(LABEL_KINDS.folder) }
}

/** Gives a tag or folder another name, on all links that have it. @throws TerseError 'not_found', 'conflict', 'unavailable' */
export async function renameLabel({ db }: LabelContext, ownerId: string, id: bigint, name: string): Promise<LabelView> {
  const where = { id, ownerId, kind: { in: [LABEL_KINDS.tag, LABEL_KINDS.folder] } }
  try {
    const data = { name, nameKey: nameKeyOf(name) }
    const { count } = await db.write((client) => client.label.updateMany({ where, data }))
    if (count === 0) throw noLabel()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new TerseError('conflict', say('api.label.taken', { name }), { cause: error })
  }
  return { id: id.toString(), name }
}

/** Deletes a tag or folder; its links stay. @throws TerseError 'not_found', 'unavailable' */
export async function deleteLabel({ db }: LabelContext, ownerId: string, id: bigint): Promise<void> {
  const where = { id, ownerId, kind: { in: [LABEL_KINDS.tag, LABEL_KINDS.folder] } }
  const { count } = await db.write((client) => client.label.deleteMany({ where }))
  if (count === 0) throw noLabel()
  // Nothing shows these any more, so it does not matter if this is broken off.
  await deleteInPieces(db, 'LinkLabel WHERE labelId = ? ORDER BY linkId', id)
}

/** Deletes all that an account filed its links by. May run again. @throws TerseError 'unavailable' */
export async function deleteFilingOf({ db }: LabelContext, ownerId: string): Promise<void> {
  const labels = await db.read((client) => client.label.findMany({ where: { ownerId }, select: { id: true } }))
  for (const { id } of labels) await deleteInPieces(db, 'LinkLabel WHERE labelId = ? ORDER BY linkId', id)
  await deleteInPieces(db, 'Label WHERE ownerId = ? ORDER BY kind, nameKey', ownerId)
  await deleteInPieces(db, 'LinkComment WHERE ownerId = ? ORDER BY linkId', ownerId)
}

const noLabel = () => new TerseError('not_found', say('api.label.none'))
