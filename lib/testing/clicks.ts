import type { Connection } from 'mariadb'
import { ClickIds } from '@/lib/clicks/click-id'
import { CLICK_COLUMN, DIMENSIONS, type Dimension, dimensionNumber, isGivenOnly, TOTAL } from '@/lib/clicks/dimensions'
import { SharedFacts } from '@/lib/clicks/shared-facts'
import { insertSingleClicks, noteClickDays } from '@/lib/clicks/single-clicks'
import { dayOf, type StoredClick } from '@/lib/clicks/tally'
import { HOUR } from '@/lib/tools/time'
import { NO_FACTS } from './counting'

/** A click as the tables hold it. What is left out is empty, and a person's. */
export type TestClick = Partial<Record<Dimension, string>> & {
  at: number
  kind?: 'person' | 'bot' | 'preview'
  /** A small number for the visitor. */
  visitor?: number
  referrerUrl?: string
  userAgent?: string
}

const ids = new ClickIds()

/** Writes clicks of one link the way they are kept: singly, and counted by hour and day. In order of time. */
export async function keepClicks(connection: Connection, linkId: bigint, clicks: TestClick[]): Promise<void> {
  const counts = new Map<string, { key: unknown[]; clicks: number; visitors: number; bots: number; previews: number }>()
  const seen = new Set<string>()
  const singles: StoredClick[] = []
  const count = (key: unknown[], kind: string, isNew: boolean) => {
    const row = counts.get(key.join('|')) ?? { key, clicks: 0, visitors: 0, bots: 0, previews: 0 }
    row.clicks += 1
    row.visitors += isNew ? 1 : 0
    row.bots += kind === 'bot' ? 1 : 0
    row.previews += kind === 'preview' ? 1 : 0
    counts.set(key.join('|'), row)
  }
  for (const { at, kind = 'person', visitor = 0, referrerUrl = '', userAgent = '', ...values } of clicks) {
    const hour = Math.floor(at / HOUR)
    const person = `${Math.floor(hour / 24)}|${visitor}`
    const isNew = kind === 'person' && !seen.has(person)
    if (kind === 'person') seen.add(person)
    count([linkId, TOTAL, 1, hour, ''], kind, isNew)
    count([linkId, TOTAL, 24, Math.floor(hour / 24) * 24, ''], kind, isNew)
    for (const dimension of DIMENSIONS) {
      const value = values[dimension] ?? ''
      if (kind !== 'person' || (value === '' && isGivenOnly(dimension))) continue
      count([linkId, dimensionNumber(dimension), 1, hour, value], kind, isNew)
      count([linkId, dimensionNumber(dimension), 24, Math.floor(hour / 24) * 24, value], kind, isNew)
    }
    const facts = Object.fromEntries(DIMENSIONS.map((dimension) => [CLICK_COLUMN[dimension], values[dimension] ?? '']))
    const mark = visitor.toString(16).padStart(16, '0')
    singles.push({ linkId, at, visitor: mark, facts: { ...NO_FACTS, ...facts, kind, referrerUrl, userAgent } })
  }
  await keepSingles(connection, singles)
  const add = ['clicks', 'visitors', 'bots', 'previews'].map((name) => `${name} = ${name} + VALUES(${name})`).join()
  const sums = [...counts.values()].map((row) => [...row.key, row.clicks, row.visitors, row.bots, row.previews])
  await insert(
    connection,
    'ClickRollup',
    'linkId, dimension, span, hour, value, clicks, visitors, bots, previews',
    sums,
    `ON DUPLICATE KEY UPDATE ${add}`,
  )
}

async function keepSingles(connection: Connection, clicks: StoredClick[]): Promise<void> {
  if (clicks.length === 0) return
  const run = async (sql: string) => ({ rows: Number((await connection.query(sql)).affectedRows), id: 0 })
  const db = { run, change: async (sql: string) => (await run(sql)).rows, rows: (sql: string) => connection.query(sql) }
  const sharedFacts = new SharedFacts()
  const referencesOf = await sharedFacts.store(db, clicks)
  await insertSingleClicks(db, clicks, { sharedFacts, referencesOf }, ({ at }) => ids.next(at))
  const days = [...new Set(clicks.map(({ at }) => dayOf(at)))].sort()
  await noteClickDays(
    { run },
    days.map((day) => ({ day, linkId: clicks[0]?.linkId ?? 0n })),
  )
}

async function insert(connection: Connection, table: string, columns: string, rows: unknown[][], rest = ''): Promise<void> {
  if (rows.length === 0) return
  const marks = columns
    .split(',')
    .map(() => '?')
    .join()
  await connection.batch(`INSERT INTO ${table} (${columns}) VALUES (${marks}) ${rest}`, rows)
}
