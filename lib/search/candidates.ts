import type { SqlGateway } from '@/lib/db/sql-gateway'
import { type Block, BlockGone, readBlocks, readParts, withoutGap } from './blocks'
import { gramsOf } from './grams'
import { idAt, partOfGram, partOfPlace, placesOf } from './parts'
import { termsOf } from './text'

/** Blocks that are read at once, at most. The first is read alone: it may fill a page. */
const BLOCKS_AT_ONCE = 16
/** Grams that are asked for, at most: the rarest. */
const GRAMS = 4
/** Of so many the rarest are found out. */
const SAMPLED = 32

/** What is looked for, in which order, and between which ids. */
export interface Wanted {
  grams: readonly number[]
  /** Of the owner. null: of anyone. */
  owner: number | null

  order: 'newest' | 'oldest'
  /** null: from the first, to the last. */
  above: bigint | null
  below: bigint | null
}

/**
 * The ids of all links in these blocks that may hold what is wanted, in order, a number at a time. Some of them no longer do, or
 * are gone.
 * @throws BlockGone
 */
export async function* candidates(
  db: SqlGateway,
  blocks: readonly Block[],
  { grams, owner, order, above, below }: Wanted,
): AsyncGenerator<bigint[], void> {
  const isNewest = order === 'newest'
  const isWithin = (id: bigint) => (above === null || id > above) && (below === null || id < below)
  const rest = blocks
    .filter(({ size, firstId, lastId }) => size > 0 && (above === null || lastId > above) && (below === null || firstId < below))
    .sort((a, b) => (isNewest ? compare(b.lastId, a.lastId) : compare(a.firstId, b.firstId)))
  const asked = await rarest(db, rest, grams)
  if (owner !== null) asked.push(owner)
  let waiting: bigint[] = []
  for (let count = 1; rest.length > 0; count = Math.min(2 * count, BLOCKS_AT_ONCE)) {
    const ids = await idsIn(db, rest.splice(0, count), asked)
    waiting.push(...ids.filter(isWithin))
    waiting.sort((a, b) => (isNewest ? compare(b, a) : compare(a, b)))
    // What blocks not read yet begin with comes first.
    const next = rest[0]
    const edge = next && waiting.findIndex((id) => (isNewest ? id <= next.lastId : id >= next.firstId))
    const ready = edge === undefined || edge === -1 ? waiting : waiting.slice(0, edge)
    waiting = waiting.slice(ready.length)
    yield ready.filter((id, i) => id !== ready[i - 1])
  }
}

const compare = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Links in the index that may hold a text, the newest first; null where there is no index yet.
 * @param most so many at most
 */
export async function indexedLinks(db: SqlGateway, text: string, most: number): Promise<bigint[] | null> {
  const blocks = withoutGap(await readBlocks(db))
  const grams = gramsOf(termsOf(text))
  if (blocks.length === 0 || grams.length === 0) return null
  const found: bigint[] = []
  try {
    for await (const ids of candidates(db, blocks, { grams, owner: null, order: 'newest', above: null, below: null })) {
      found.push(...ids)
      if (found.length >= most) break
    }
  } catch (error) {
    if (error instanceof BlockGone) return null
    throw error
  }
  return found.slice(0, most)
}

/** Those of the grams that few links hold, as far as the largest block can tell. */
async function rarest(db: SqlGateway, blocks: readonly Block[], grams: readonly number[]): Promise<number[]> {
  if (grams.length <= GRAMS) return [...grams]
  const largest = blocks.reduce<Block | undefined>((most, block) => (most && most.size >= block.size ? most : block), undefined)
  if (!largest) return []
  const step = Math.max(1, grams.length / SAMPLED)
  const sample = grams.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step))
  const parts = (await readParts(db, new Map([[largest.id, numbers(sample.map(partOfGram))]]))).get(largest.id)
  const counts = new Map(sample.map((gram) => [gram, placesIn(parts, gram).length]))
  return sample.sort((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0)).slice(0, GRAMS)
}

/** The ids of the links in these blocks that may hold all grams, in no order. */
async function idsIn(db: SqlGateway, blocks: readonly Block[], grams: readonly number[]): Promise<bigint[]> {
  const wanted = numbers(grams.map(partOfGram))
  const parts = await readParts(db, new Map(blocks.map(({ id }) => [id, wanted])))
  const places = new Map<bigint, number[]>()
  for (const { id } of blocks) {
    const held = grams.map((gram) => placesIn(parts.get(id), gram)).sort((a, b) => a.length - b.length)
    const common = held.reduce(inBoth)
    if (common.length > 0) places.set(id, common)
  }
  const ids = await readParts(db, new Map([...places].map(([id, some]) => [id, numbers(some.map(partOfPlace))])))
  return [...places].flatMap(([id, some]) =>
    some.flatMap((place) => {
      const part = ids.get(id)?.get(partOfPlace(place))
      return part ? [idAt(part, place)] : []
    }),
  )
}

function placesIn(parts: ReadonlyMap<number, Buffer> | undefined, gram: number): number[] {
  const part = parts?.get(partOfGram(gram))
  return part ? placesOf(part, gram) : []
}

/** What is in both of two sorted lists. */
function inBoth(few: readonly number[], many: readonly number[]): number[] {
  let at = 0
  return few.filter((place) => {
    while ((many[at] ?? place) < place) at++
    return many[at] === place
  })
}

const numbers = (all: readonly number[]) => [...new Set(all)]
