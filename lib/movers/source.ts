import type { Config } from '@/lib/config'
import type { Transaction } from '@/lib/db/client'
import type { DatabaseGateway } from '@/lib/db/gateway'
import type { SqlTransaction } from '@/lib/db/sql'
import type { ImportRow } from '@/lib/links/import-source'
import { seal, unseal } from '@/lib/tools/sealed'
import type { Cursor } from './live'

/** What an import that asks another system knows of it from one turn to the next. */
export interface Source {
  key: string
  /** What is asked next; null: all was. */
  next: Cursor | null
  found: number
  bytes: number
  failures: number
}

/** Rows of a part (lib/jobs/parts.ts), and characters. */
const PART = { rows: 1_000, characters: 150_000 }

const purposeOf = (jobId: bigint) => `the key of import ${jobId}`

/** Written with the job. The key is in no other place, and in no log. */
export async function insertSource(
  tx: Pick<Transaction, 'jobSource'>,
  { APP_SECRET }: Pick<Config, 'APP_SECRET'>,
  jobId: bigint,
  { key, begin }: { key: string; begin: Cursor },
): Promise<void> {
  const secret = key === '' ? null : seal(APP_SECRET, purposeOf(jobId), key)
  await tx.jobSource.createMany({ data: [{ jobId, secret, place: JSON.stringify(begin) }] })
}

/** @throws TerseError 'unavailable'; Error where APP_SECRET is another by now */
export async function readSource(
  db: DatabaseGateway,
  { APP_SECRET }: Pick<Config, 'APP_SECRET'>,
  jobId: bigint,
): Promise<Source> {
  const row = await db.read((client) => client.jobSource.findUniqueOrThrow({ where: { jobId } }))
  const { secret, place, found, bytes, failures } = row
  const key = secret === null ? '' : unseal(APP_SECRET, purposeOf(jobId), secret)
  return { key, next: place === '' ? null : (JSON.parse(place) as Cursor), found, bytes: Number(bytes), failures }
}

/**
 * Writes down links that came, and where to go on: both, or neither. Once nothing more is to be asked, the key is forgotten.
 * @returns how many links came so far
 */
export async function writePage(
  tx: SqlTransaction,
  jobId: bigint,
  source: Source,
  { rows, next }: { rows: readonly ImportRow[]; next: Cursor | null },
): Promise<Source> {
  let [first, bytes] = [source.found, source.bytes]
  let part: string[] = []
  let size = 0
  const flush = async () => {
    if (part.length === 0) return
    await tx.run('INSERT INTO JobPart (jobId, part, content) VALUES (?, ?, ?)', [jobId, first, `[${part.join()}]`])
    first += part.length
    part = []
    size = 0
  }
  for (const row of rows) {
    const text = JSON.stringify(row)
    if (part.length === PART.rows || size + text.length > PART.characters) await flush()
    part.push(text)
    size += text.length
    bytes += Buffer.byteLength(text) + 1
  }
  await flush()
  const place = next === null ? '' : JSON.stringify(next)
  const found = source.found + rows.length
  await tx.run(
    `UPDATE JobSource SET place = ?, found = ?, bytes = ?, failures = 0${next === null ? ', secret = NULL' : ''} WHERE jobId = ?`,
    [place, found, bytes, jobId],
  )
  return { ...source, next, found, bytes, failures: 0 }
}

/** It did not answer once more. */
export const noteFailure = (db: Pick<DatabaseGateway, 'change'>, jobId: bigint) =>
  db.change('UPDATE JobSource SET failures = failures + 1 WHERE jobId = ?', jobId)

/** The import is over, or will never be. */
export const forgetSource = (db: Pick<DatabaseGateway, 'change'>, jobId: bigint) =>
  db.change('DELETE FROM JobSource WHERE jobId = ?', jobId)
