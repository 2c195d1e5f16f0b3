import { createHash } from 'node:crypto'
import type { LRUCache } from 'lru-cache'
import { literal } from '@/lib/db/literal'
import { pieces } from '@/lib/db/pieces'
import type { SqlTransaction } from '@/lib/db/sql'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import { memory } from '@/lib/tools/memo'
import { DAY } from '@/lib/tools/time'
import type { ClickFacts } from './click'

/** What is not a click's own. */
export type SharedFact = Exclude<keyof ClickFacts, 'kind'>

/** A table of what clicks share, the column of SingleClick that names a row of it, and the facts that a row has. */
export interface SharedTable {
  table: string
  reference: string
  columns: readonly SharedFact[]
  /**
   * How many of these there were at first. Those that came later are left out of the hash where they are empty, so that rows
   * of a former release keep their ids.
   */
  first?: number
}

/**
 * Facts that come together share a table, so that a click names few rows. Those that do not have tables of their own, or there
 * would be as many rows as combinations.
 */
export const SHARED_TABLES: readonly SharedTable[] = [
  {
    table: 'ClickAgent',
    reference: 'agentId',
    columns: ['browser', 'os', 'device', 'language', 'userAgent'],
  },
  {
    table: 'ClickSource',
    reference: 'sourceId',
    columns: ['referrer', 'referrerUrl', 'utmSource', 'utmMedium', 'utmCampaign', 'utmTerm', 'utmContent', 'destination'],
    first: 7,
  },
  { table: 'ClickPlace', reference: 'placeId', columns: ['country', 'city'] },
]

/** A row of a shared table. */
interface Row {
  key: string
  texts: string[]
  /** SHA-256 of the texts: eight ids that the row may have. */
  hash: Buffer
}

/** Ids of rows by their key. */
type Known = LRUCache<string, { id: number }>

/** MySQL has lost facts that it had: it was restored, or failed over to a copy that they had not reached. Store them again. */
export class FactsLost extends Error {}

/** Rows of one statement. */
const ROWS = 500
/** Ids that a hash has room for. */
const CANDIDATES = 8

/**
 * What clicks share, kept once in MySQL. The id of a row is the first 32 bits of the hash of its texts, or the next 32 where
 * another row has these: so processes that store the same texts at once agree without asking each other.
 *
 * A row is written before the transaction that counts, by itself: nothing waits for it, and it does no harm without a click. On
 * each day that it is used it is marked with that day, by each process once; when the retention of clicks is over since, no click
 * can name it, and it is deleted (./sweep.ts).
 */
export class SharedFacts {
  private day = 0
  private known: Known[] = []
  private references = new WeakMap<ClickFacts, string>()

  /**
   * Sees to it that MySQL has the facts of some clicks.
   * @returns tells the references of each of these, as a list in SQL in the order of SHARED_TABLES
   * @throws what MySQL throws
   */
  async store(
    db: Pick<SqlGateway, 'change' | 'rows'>,
    clicks: readonly { facts: ClickFacts }[],
    now = Date.now(),
  ): Promise<(facts: ClickFacts) => string> {
    this.begin(Math.floor(now / DAY))
    const { references, known, day } = this
    const unknown = new Set<ClickFacts>()
    for (const { facts } of clicks) if (!references.has(facts)) unknown.add(facts)
    const ids = await Promise.all(SHARED_TABLES.map((table, i) => idsOf(db, table, known[i] as Known, unknown, day)))
    for (const facts of unknown) references.set(facts, ids.map((of) => of.get(facts)).join())
    return (facts) => references.get(facts) as string
  }

  /**
   * To be called in the transaction that stores clicks: none may name a row that is not there.
   * @param references of these clicks, as `store` told them
   * @throws FactsLost
   */
  async check(tx: Pick<SqlTransaction, 'rows'>, references: Iterable<string>): Promise<void> {
    const ids = SHARED_TABLES.map(() => new Set<string>())
    for (const each of new Set(references)) for (const [i, id] of each.split(',').entries()) ids[i]?.add(id)
    const checks = SHARED_TABLES.flatMap(({ table }, i) =>
      [...pieces([...(ids[i] ?? [])], ROWS)].map((some) => has(tx, table, some)),
    )
    if ((await Promise.all(checks)).every((isThere) => isThere)) return
    this.forget()
    throw new FactsLost('MySQL has lost what clicks share')
  }

  /** On a new day all that is used is marked again. */
  private begin(day: number): void {
    if (day === this.day) return
    this.day = day
    this.forget()
  }

  private forget(): void {
    this.known = SHARED_TABLES.map(() => memory<{ id: number }>({ entries: 10_000, characters: 2_000_000 }))
    this.references = new WeakMap()
  }
}

async function has(tx: Pick<SqlTransaction, 'rows'>, table: string, ids: readonly string[]): Promise<boolean> {
  const [row] = await tx.rows<{ count: bigint | number }>(
    `SELECT COUNT(*) AS count FROM ${table} WHERE id IN (${ids.join()})`,
    [],
  )
  return Number(row?.count) === ids.length
}

async function idsOf(
  db: Pick<SqlGateway, 'change' | 'rows'>,
  shared: SharedTable,
  known: Known,
  facts: ReadonlySet<ClickFacts>,
  day: number,
): Promise<Map<ClickFacts, number>> {
  const keys = new Map([...facts].map((each) => [each, keyOf(shared.columns.map((column) => each[column]))]))
  const ids = new Map<string, number>()
  const rows = new Map<string, Row>()
  for (const key of keys.values()) {
    const id = known.get(key)?.id
    if (id !== undefined) ids.set(key, id)
    else if (!rows.has(key)) rows.set(key, rowOf(key, shared.first))
  }
  for (const some of pieces([...rows.values()], ROWS)) {
    for (const [key, id] of await write(db, shared, some, day)) {
      ids.set(key, id)
      known.set(key, { id })
    }
  }
  return new Map([...keys].map(([each, key]) => [each, ids.get(key) as number]))
}

/** Of texts as MySQL stores them: a lone surrogate has no bytes in UTF-8. */
const keyOf = (texts: readonly string[]) => JSON.stringify(texts.map((text) => Buffer.from(text).toString()))

function rowOf(key: string, first?: number): Row {
  const texts: string[] = JSON.parse(key)
  const isAsBefore = first !== undefined && texts.slice(first).every((text) => text === '')
  const hashed = isAsBefore ? JSON.stringify(texts.slice(0, first)) : key
  return { key, texts, hash: createHash('sha256').update(hashed).digest() }
}

/** Each row under the first of its ids that no other row has. */
async function write(
  db: Pick<SqlGateway, 'change' | 'rows'>,
  { table, columns }: SharedTable,
  rows: readonly Row[],
  day: number,
): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (let candidate = 0; ids.size < rows.length; candidate++) {
    if (candidate === CANDIDATES) throw new Error(`${table} has no id left for a row`)
    const asked = rows
      .filter(({ key }) => !ids.has(key))
      .map((row) => ({ ...row, id: row.hash.readInt32BE(4 * candidate) }))
      // In one order everywhere, or two processes would wait for each other.
      .sort((a, b) => a.id - b.id)
    const values = asked.map(({ id, texts }) => `(${id},${texts.map(literal).join()},${day})`)
    await db.change(
      `INSERT INTO ${table} (id,${columns.join()},usedOn) VALUES ${values.join()}
       ON DUPLICATE KEY UPDATE usedOn = GREATEST(usedOn, VALUES(usedOn))`,
    )
    const stored = await db.rows<Record<string, unknown>>(
      `SELECT id, ${columns.join()} FROM ${table} WHERE id IN (${asked.map(({ id }) => id).join()})`,
    )
    const keys = new Map(stored.map((row) => [row.id, keyOf(columns.map((column) => String(row[column])))]))
    for (const { key, id } of asked) if (keys.get(id) === key) ids.set(key, id)
  }
  return ids
}
