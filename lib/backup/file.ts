import { createReadStream, existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import { migrationNames } from '@/lib/db/migrate'
import { tablesMadeBy } from '@/lib/db/migration-texts'
import { line } from '@/lib/tools/line'
import { decrypt, encrypt, UnreadableBackup } from './age'
import { STATEMENT, statements, type Tables } from './statements'

/*
 * A backup is an age file of a gzip of text: a first line that says what it is, a line for each batch of clicks that was not
 * counted yet, the INSERTs of the dump, and a last line. docs/backup.md describes it.
 */

const FIRST = '-- Terse backup '
const CLICKS = '-- clicks '
const LAST = '-- end of the backup'

const MANIFEST = z.object({
  format: z.literal(1),
  madeAt: z.iso.datetime(),
  /** Of the database server. It is printed: a file of another's making could hold what a terminal obeys. */
  engine: line(200),
  /** Names of the migrations that made the tables. */
  migrations: z.array(z.string()),
  appSecret: z.string().min(16),
  /** Whether Redis could be asked for clicks that wait. */
  redis: z.boolean(),
})

/** What a backup says of itself. */
export type Manifest = z.infer<typeof MANIFEST>

/** A piece of a backup, in the order in which they come: batches of clicks as lines of the spool, then SQL. */
export type Part = { clicks: string } | { sql: string }

export interface Contents {
  manifest: Manifest
  /** Lines of the spool: `<id of the batch> <its clicks>`. */
  clicks: AsyncIterable<string>
  /** Text in SQL. */
  sql: AsyncIterable<Buffer>
}

/**
 * Writes a backup under another name, and gives it its own once it is whole and on the disk.
 * @throws Error when there is such a file already; what the contents throw; then nothing is left
 */
export async function writeBackup(file: string, passphrase: string, contents: Contents): Promise<void> {
  if (existsSync(file)) throw new Error(`${file} already exists`)
  const unfinished = `${file}.unfinished`
  const target = await open(unfinished, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST'
      ? new Error(`${unfinished} already exists: another backup is writing it, or one was killed. In that case, delete it`)
      : error
  })
  try {
    const sealed = (zipped: AsyncIterable<Buffer>) => encrypt(passphrase, zipped)
    await pipeline(textOf(contents), createGzip(), sealed, target.createWriteStream({ flush: true }))
    await rename(unfinished, file)
    await syncFolder(dirname(file))
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/** A new name in a folder is on the disk once the folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}

async function* textOf({ manifest, clicks, sql }: Contents): AsyncGenerator<Buffer> {
  yield Buffer.from(`${FIRST}${JSON.stringify(manifest)}\n`)
  for await (const line of clicks) yield Buffer.from(`${CLICKS}${line}\n`)
  yield* sql
  yield Buffer.from(`\n${LAST}\n`)
}

/** What is known of a backup that was read to its end. */
export interface Checked {
  manifest: Manifest
  tables: Tables
  /** Bytes of its longest statement. */
  longest: number
}

/**
 * Reads all of a backup, so that nothing is done with one that is damaged, newer than this version, or holds anything else than
 * clicks and rows of the tables that its migrations make.
 * @throws UnreadableBackup, or Error as `statements` and `tablesMadeBy`
 */
export async function checkBackup(file: string, passphrase: string): Promise<Checked> {
  const { manifest, parts } = await openBackup(file, passphrase)
  requireKnown(manifest)
  const tables = tablesMadeBy(manifest.migrations)
  let longest = 0
  for await (const part of statements(parts, tables)) {
    if ('sql' in part) longest = Math.max(longest, Buffer.byteLength(part.sql))
  }
  return { manifest, tables, longest }
}

/** Not without gaps: a later version may have a migration whose name comes before those of the backup's. */
function requireKnown({ migrations }: Manifest): void {
  const known = migrationNames()
  if (migrations.some((name) => !known.includes(name)))
    throw new Error('the backup was made by a newer version of Terse. Use that version, or a later one')
  if (!migrations.includes(known[0] ?? '')) throw new Error('the backup does not name the migrations that make its tables')
}

/** @throws UnreadableBackup, also while its parts are read */
export async function openBackup(
  file: string,
  passphrase: string,
): Promise<{ manifest: Manifest; parts: AsyncGenerator<Part, void> }> {
  const lines = linesOf(decrypted(file, passphrase))
  const first = await lines.next()
  return { manifest: readManifest(first.done ? '' : first.value), parts: partsOf(lines) }
}

function readManifest(line: string): Manifest {
  if (!line.startsWith(FIRST)) throw new UnreadableBackup('the file is not a backup of Terse')
  const parsed = MANIFEST.safeParse(parseJson(line.slice(FIRST.length)))
  if (!parsed.success) throw new UnreadableBackup('the backup is of a kind that this version of Terse does not know')
  return parsed.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function* partsOf(lines: AsyncIterable<string>): AsyncGenerator<Part, void> {
  let ended = false
  for await (const line of lines) {
    if (ended) throw new UnreadableBackup('the backup goes on behind its end')
    if (line === LAST) ended = true
    else if (line.startsWith(CLICKS)) yield { clicks: line.slice(CLICKS.length) }
    else yield { sql: line }
  }
  if (!ended) throw new UnreadableBackup('the backup is incomplete')
}

async function* decrypted(file: string, passphrase: string): AsyncGenerator<Buffer> {
  const unzip = createGunzip()
  const done = pipeline(decrypt(passphrase, createReadStream(file)), unzip)
  // The reader gets the error: what fails before the gunzip ends that, too.
  done.catch(() => {})
  try {
    yield* unzip
    await done
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).startsWith('Z_')) throw error
    throw new UnreadableBackup('the file is not a backup of Terse', { cause: error })
  }
}

/** Lines end at \n alone: node:readline also ends them at U+2028. @throws UnreadableBackup on one longer than any statement */
async function* linesOf(source: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  // Pieces of the line that has not ended yet; joined once, as it may be long.
  let pieces: string[] = []
  let length = 0
  for await (const bytes of source) {
    const [first = '', ...others] = decoder.decode(bytes, { stream: true }).split('\n')
    pieces.push(first)
    length += first.length
    if (length > STATEMENT) throw new UnreadableBackup('the backup has a line that is too long')
    const last = others.pop()
    if (last === undefined) continue
    yield pieces.join('')
    yield* others
    pieces = [last]
    length = last.length
  }
  if (length > 0) yield pieces.join('')
}
