import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import tls from 'node:tls'
import { promisify } from 'node:util'
import { parseDatabaseUrl, tlsOptions } from '@/lib/tools/database-url'
import { TimeoutError, withTimeout } from '@/lib/tools/timeout'

/**
 * Rows alone, as INSERTs that every engine takes: the tables are made by our own migrations, so nothing is in it that only one
 * engine knows. One snapshot of all tables, under no lock.
 */
const OPTIONS = [
  '--single-transaction',
  '--skip-lock-tables',
  '--quick',
  '--no-create-info',
  '--skip-triggers',
  '--skip-add-locks',
  '--skip-disable-keys',
  '--skip-comments',
  '--complete-insert',
  '--hex-blob',
  '--no-tablespaces',
  '--default-character-set=utf8mb4',
  '--max-allowed-packet=1G',
  '--net-buffer-length=512K',
]
/** What only `mysqldump` knows. */
const OF_MYSQL = ['--set-gtid-purged=OFF', '--column-statistics=0']

/** How long the program may give nothing, in ms: a server that falls silent would keep it for ever. */
const PATIENCE = 60_000

/** Characters of what the program complains of that are shown. */
const SHOWN = 500

/**
 * The rows of tables, by the engine's own program.
 * @param program `mariadb-dump` or `mysqldump`
 * @param signal ends it
 * @param patience how long the program may give nothing, in ms
 * @throws Error with the program's own words, or when it gave nothing for so long
 */
export async function* dumpRows(
  program: string,
  databaseUrl: string,
  tables: readonly string[],
  signal?: AbortSignal,
  patience = PATIENCE,
): AsyncGenerator<Buffer> {
  const { stdout: version } = await promisify(execFile)(program, ['--no-defaults', '--version'])
  const folder = await mkdtemp(join(tmpdir(), 'terse-dump-'))
  try {
    const access = join(folder, 'access.cnf')
    const isMariadb = version.includes('MariaDB')
    const authorities = join(folder, 'authorities.pem')
    await writeFile(authorities, trustedAuthorities().join('\n'))
    await writeFile(access, accessFile(databaseUrl, isMariadb, authorities), { mode: 0o600 })
    const options = [...OPTIONS, ...(isMariadb ? [] : OF_MYSQL)]
    const { database } = parseDatabaseUrl(databaseUrl)
    const child = spawn(program, [`--defaults-file=${access}`, ...options, database, ...tables], {
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
    })
    const ended = once(child, 'close') as Promise<[number | null]>
    // Asked for once all is read.
    ended.catch(() => {})
    let complaint = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(-SHOWN)
    })
    try {
      yield* heard(program, child.stdout, patience)
      const [code] = await ended
      const why = complaint.trim() || `exit code ${code}`
      if (code !== 0) throw new Error(`${program} failed: ${why}${isMariadb ? hintOfMariadb(databaseUrl, why) : ''}`)
    } finally {
      child.kill()
      child.stdout.destroy()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What the program gives. How long its reader takes for a piece does not count. */
async function* heard(program: string, output: Readable, patience: number): AsyncGenerator<Buffer> {
  const pieces: AsyncIterator<Buffer> = output[Symbol.asyncIterator]()
  for (;;) {
    const next = await withTimeout(pieces.next(), patience, program).catch((error: unknown) => {
      if (!(error instanceof TimeoutError)) throw error
      throw new Error(
        `${program} gave nothing for ${patience / 1_000} s: the database fell silent, or its tables are being changed`,
      )
    })
    if (next.done) return
    yield next.value
  }
}

/** Those that the app's own connections trust where the URL names no authority. */
function trustedAuthorities(): readonly string[] {
  // Before Node 22.15 there are only those that come with it.
  const { getCACertificates } = tls as { getCACertificates?: (kind: 'default') => string[] }
  return getCACertificates?.('default') ?? tls.rootCertificates
}

/** MariaDB's programs have no way to check the authority alone. */
function hintOfMariadb(databaseUrl: string, why: string): string {
  if (tlsOptions(databaseUrl)?.['ssl-mode'] !== 'VERIFY_CA' || !/TLS|SSL|certificate/i.test(why)) return ''
  return '. With ssl-mode=VERIFY_CA it also checks the name: use a host in DATABASE_URL that the certificate names'
}

/**
 * What would be seen by everybody on the machine among the arguments of a process, and how the connection is encrypted.
 * @param authorities the file of those that are trusted where the URL names none
 */
function accessFile(databaseUrl: string, isMariadb: boolean, authorities: string): string {
  const { host, port, user, password } = parseDatabaseUrl(databaseUrl)
  const { 'ssl-mode': mode = 'DISABLED', ...files } = tlsOptions(databaseUrl) ?? {}
  // MariaDB's program checks the name together with the authority, or nothing, which since 11.4 has to be said.
  const verifies = mode === 'VERIFY_CA' || mode === 'VERIFY_IDENTITY'
  const encryption = isMariadb
    ? { ssl: mode === 'DISABLED' ? 0 : 1, 'ssl-verify-server-cert': verifies ? 1 : 0 }
    : { 'ssl-mode': mode }
  const ca = verifies ? { 'ssl-ca': authorities } : {}
  const lines = Object.entries({ host, port, user, password, protocol: 'tcp', ...encryption, ...ca, ...files })
  return `[client]\n${lines.map(([key, value]) => `${key}=${quoted(String(value))}\n`).join('')}`
}

const quoted = (value: string) => `"${value.replace(/["\\]/g, '\\$&')}"`
