import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { bareNames } from '@/lib/links/import-source'
import { cellOf } from '@/lib/links/properties'
import { readCsv } from '@/lib/tools/csv'
import { JsonError, readJson } from '@/lib/tools/json-rows'
import { textOf } from '@/lib/tools/pieces-of-text'
import { MOVERS } from './kinds'
import type { Target } from './mover'
import { tableReading, targetOf } from './read'
import type { MovedFrom } from './sources'

/** A column of a file, and what it is taken for. */
export interface GuessedColumn {
  name: string
  /** null: for nothing. */
  property: Target | null
  /** What its first rows say, as far as they say something. */
  examples: string[]
}

const LIMITS = { columns: 200, cell: 10_000, row: 100_000 }
/** Rows that examples are of, and characters of an example. */
const [ROWS, SHOWN] = [3, 100]

/**
 * Which columns a CSV, or which fields the objects of a JSON, have, and what they are taken for.
 * @param bytes the beginning of the file
 * @throws TerseError 'validation_failed' for what is neither
 */
export async function guessColumns(from: MovedFrom, bytes: Uint8Array): Promise<GuessedColumn[]> {
  let text = ''
  for await (const piece of textOf(only(bytes))) text += piece
  const form = MOVERS[from].table
  const rows = /^\s*[[{]/.test(text) ? await objectsIn(text) : await tableIn(text, tableReading(form, {}))
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))]
  if (names.length === 0) throw new TerseError('validation_failed', say('api.import.form'))
  return names.slice(0, LIMITS.columns).map((name) => ({
    name,
    property: targetOf(form, {}, name),
    examples: rows.flatMap((row) => row.get(name)?.slice(0, SHOWN) || []).slice(0, ROWS),
  }))
}

async function* only<T>(one: T): AsyncGenerator<T, void> {
  yield one
}

type TextRow = Map<string, string>

async function tableIn(text: string, reading: Parameters<typeof bareNames>[1]): Promise<TextRow[]> {
  const lines: string[][] = []
  for await (const some of readCsv([text], LIMITS)) {
    lines.push(...some.flatMap(({ cells, error }) => (error ? [] : [cells])))
    if (lines.length > ROWS) break
  }
  const [head = []] = lines
  const bare = bareNames(head, reading)
  const names = bare ?? head
  const rows = (bare ? lines : lines.slice(1)).slice(0, ROWS)
  const named = names.filter((name) => name !== '')
  if (rows.length === 0) return named.length === 0 ? [] : [new Map(named.map((name) => [name, '']))]
  return rows.map((cells) => new Map(names.flatMap((name, index) => (name === '' ? [] : [[name, cells[index] ?? ''] as const]))))
}

/** The first names of an object, as many as there are columns at most. */
function namesIn(value: Readonly<Record<string, unknown>>): string[] {
  const names: string[] = []
  for (const name in value) if (names.push(name) >= LIMITS.columns) break
  return names
}

async function objectsIn(text: string): Promise<TextRow[]> {
  const rows: TextRow[] = []
  try {
    for await (const some of readJson(only(text), 'links')) {
      rows.push(
        ...some.flatMap(({ value, error }) =>
          error ? [] : [new Map(namesIn(value).map((name) => [name, cellOf(value[name])]))],
        ),
      )
      if (rows.length >= ROWS) break
    }
  } catch (error) {
    // A beginning has no end.
    if (!(error instanceof JsonError)) throw error
  }
  return rows.slice(0, ROWS)
}
