import { literal } from '@/lib/db/literal'
import { pieces } from '@/lib/db/pieces'
import type { SqlTransaction } from '@/lib/db/sql'
import type { ClickFacts } from './click'
import { kindNumber } from './dimensions'
import { SHARED_TABLES, type SharedFact, type SharedFacts } from './shared-facts'
import type { StoredClick } from './tally'

/** Rows of one statement. */
const ROWS = 1_000
const COLUMNS = ['linkId', 'id', 'visitor', 'kind', ...SHARED_TABLES.map(({ reference }) => reference)].join()

/**
 * @param shared the facts that these clicks share, as `SharedFacts.store` told where they are
 * @throws FactsLost
 */
export async function insertSingleClicks<Click extends StoredClick>(
  tx: Pick<SqlTransaction, 'run' | 'rows'>,
  clicks: readonly Click[],
  { sharedFacts, referencesOf }: { sharedFacts: SharedFacts; referencesOf: (facts: ClickFacts) => string },
  idOf: (click: Click) => bigint,
): Promise<void> {
  const insert = (some: readonly Click[]) => {
    const rows = some.map((click) => {
      const { linkId, visitor, facts } = click
      return `(${linkId},${idOf(click)},${literal({ hex: visitor })},${kindNumber(facts.kind)},${referencesOf(facts)})`
    })
    return tx.run(`INSERT INTO SingleClick (${COLUMNS}) VALUES ${rows.join()}`, [])
  }
  const references = clicks.map(({ facts }) => referencesOf(facts))
  await Promise.all([...[...pieces(clicks, ROWS)].map(insert), sharedFacts.check(tx, references)])
}

/** A link that has single clicks of a day, in days since 1970 UTC. */
export interface ClickDay {
  day: number
  linkId: bigint
}

/**
 * To be called for all single clicks that a transaction stores, so that they are found once their time is over.
 * @param days in the same order in every transaction, or two would wait for each other
 */
export async function noteClickDays(tx: Pick<SqlTransaction, 'run'>, days: readonly ClickDay[]): Promise<void> {
  for (const some of pieces(days, ROWS)) {
    const rows = some.map(({ day, linkId }) => `(${day},${linkId})`)
    await tx.run(`INSERT IGNORE INTO ClickDay (day,linkId) VALUES ${rows.join()}`, [])
  }
}

/**
 * The tables, joined for a FROM, in which single clicks and these facts of them are. The clicks, called `click`, come first and
 * are found by an index, all else by what they name: with another plan, all clicks of a link are sorted for one page of them.
 */
export function singleClicksWith(facts: Iterable<SharedFact>): string {
  const wanted = new Set(facts)
  const joins = SHARED_TABLES.filter(({ columns }) => columns.some((column) => wanted.has(column))).map(
    ({ table, reference }) => `STRAIGHT_JOIN ${table} FORCE INDEX (PRIMARY) ON ${table}.id = click.${reference}`,
  )
  return ['SingleClick AS click', ...joins].join(' ')
}

export const ALL_FACTS = SHARED_TABLES.flatMap(({ columns }) => columns)
