import { nextId } from '@/lib/db/id'
import { marks } from '@/lib/db/literal'
import { pieces } from '@/lib/db/pieces'
import type { SqlTransaction } from '@/lib/db/sql'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import { sqlTime } from '@/lib/db/time'

/** Where a link stands in the order of changes: when it was last changed, and its id. */
export interface Moment {
  at: Date
  id: bigint
}

/** Before every change. */
export const BEGINNING: Moment = { at: new Date(0), id: 0n }

export const isAfter = (one: Moment, other: Moment) =>
  one.at.getTime() > other.at.getTime() || (one.at.getTime() === other.at.getTime() && one.id > other.id)

/** The links that were last changed after `from` and not after `to`, as they were when the block was written. */
export interface Block {
  id: bigint
  from: Moment
  to: Moment
  /** How many there were. */
  size: number
  /** How many of them are still the same, by the last count. */
  current: number
  /** How much its parts take. */
  bytes: number
  /** The smallest and the greatest of their ids; 0 and 0 of an empty block. */
  firstId: bigint
  lastId: bigint
}

interface Row {
  id: bigint
  fromAt: Date
  fromId: bigint
  toAt: Date
  toId: bigint
  size: number
  current: number
  bytes: number
  firstId: bigint
  lastId: bigint
}

/** All blocks, in the order of changes. */
export async function readBlocks(db: SqlGateway): Promise<Block[]> {
  const rows = await db.rows<Row>(
    'SELECT id, fromAt, fromId, toAt, toId, size, current, bytes, firstId, lastId FROM SearchBlock ORDER BY fromAt, fromId',
  )
  return rows.map(({ fromAt, fromId, toAt, toId, ...rest }) => ({
    ...rest,
    from: { at: fromAt, id: fromId },
    to: { at: toAt, id: toId },
  }))
}

/** The blocks of which each begins where the one before ends. What comes after a gap counts for nothing. */
export function withoutGap(blocks: readonly Block[]): Block[] {
  let end = BEGINNING
  const gap = blocks.findIndex(({ from, to }) => {
    const isNext = !isAfter(from, end) && !isAfter(end, from)
    end = to
    return !isNext
  })
  return gap === -1 ? [...blocks] : blocks.slice(0, gap)
}

/** Up to where links are in blocks. What was changed after that is not in any. */
export const indexedTo = (blocks: readonly Block[]): Moment => blocks.at(-1)?.to ?? BEGINNING

/** A block was replaced by another while it was read: to be begun again from `readBlocks`. */
export class BlockGone extends Error {}

/**
 * Parts of blocks, by block and number.
 * @param wanted numbers of parts, by block
 * @throws BlockGone
 */
export async function readParts(
  db: SqlGateway,
  wanted: ReadonlyMap<bigint, readonly number[]>,
): Promise<Map<bigint, Map<number, Buffer>>> {
  const found = new Map<bigint, Map<number, Buffer>>([...wanted.keys()].map((block) => [block, new Map()]))
  if (wanted.size === 0) return found
  const ranges = [...wanted.values()].map((parts) => `(block = ? AND part IN (${marks(parts)}))`)
  const rows = await db.rows<{ block: bigint; part: number; content: Buffer }>(
    `SELECT block, part, content FROM SearchPart WHERE ${ranges.join(' OR ')}`,
    ...[...wanted].flatMap(([block, parts]) => [block, ...parts]),
  )
  const count = [...wanted.values()].reduce((sum, parts) => sum + parts.length, 0)
  if (rows.length < count) throw new BlockGone()
  for (const { block, part, content } of rows) found.get(block)?.set(part, content)
  return found
}

/** A block to be written. */
export type NewBlock = Omit<Block, 'id' | 'current' | 'bytes'> & { parts: readonly { part: number; content: Buffer }[] }

/**
 * Writes a block in the place of others.
 * @param replaced neighbours, whose range it has; none: it goes on where the last one ends
 * @returns false when another process has written there
 */
export async function writeBlock(db: SqlGateway, block: NewBlock, replaced: readonly Block[]): Promise<boolean> {
  return await db.transaction(async (tx) => {
    if (replaced.length > 0 && (await removeIn(tx, replaced)) < replaced.length) return false
    const id = nextId()
    const { from, to, size, firstId, lastId } = block
    const row = { id, fromAt: sqlTime(from.at.getTime()), fromId: from.id, toAt: sqlTime(to.at.getTime()), toId: to.id }
    const bytes = block.parts.reduce((sum, { content }) => sum + content.length, 0)
    await tx.insert('SearchBlock', BLOCK_COLUMNS, [{ ...row, size, current: size, bytes, firstId, lastId }])
    for (const some of pieces(block.parts, PARTS_IN_STATEMENT)) {
      await tx.insert(
        'SearchPart',
        ['block', 'part', 'content'],
        some.map((part) => ({ block: id, ...part })),
      )
    }
    return true
  })
}

const BLOCK_COLUMNS = ['id', 'fromAt', 'fromId', 'toAt', 'toId', 'size', 'current', 'bytes', 'firstId', 'lastId'] as const
const PARTS_IN_STATEMENT = 128

/** @returns how many of them were there */
async function removeIn(tx: SqlTransaction, blocks: readonly Block[]): Promise<number> {
  const ids = blocks.map(({ id }) => id)
  const places = marks(ids)
  const { rows } = await tx.run(`DELETE FROM SearchBlock WHERE id IN (${places})`, ids)
  await tx.run(`DELETE FROM SearchPart WHERE block IN (${places})`, ids)
  return rows
}

export const removeBlocks = (db: SqlGateway, blocks: readonly Block[]): Promise<number> =>
  db.transaction((tx) => removeIn(tx, blocks))
