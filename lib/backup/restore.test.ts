import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readConfig } from '@/lib/config'
import { migrationNames } from '@/lib/db/migrate'
import { storedCase } from '@/lib/domains/code-case'
import { createLink } from '@/lib/links/create'
import { CreateLink } from '@/lib/links/schemas'
import { atEnd } from '@/lib/testing/cleanup'
import { connectTo, emptyDatabase, testDatabase } from '@/lib/testing/database'
import { linkRow } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { visit } from '@/lib/testing/visit'
import { checkBackup, type Manifest, writeBackup } from './file'
import { type Restored, restore } from './restore'
import { dropBefore, moveAside } from './tables'

const PASSPHRASE = 'correct horse battery'
const APP_SECRET = 'a secret only for tests, 32 bytes'
const ROW = "INSERT INTO `FreedHandle` (`handle`, `freedAt`) VALUES (12345678,'2026-01-01 00:00:00.000');\n"

/** A backup of one row that says this of itself. */
async function backupOf(manifest: Partial<Manifest>, sql = ROW, batches: string[] = []): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'terse-unit-restore-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'backup.age')
  const whole = {
    format: 1,
    madeAt: '2026-11-01T00:00:00.000Z',
    engine: 'MariaDB',
    migrations: migrationNames(),
    appSecret: APP_SECRET,
    redis: true,
    ...manifest,
  } as const
  const clicks = async function* (): AsyncGenerator<string> {
    yield* batches
  }
  const text = async function* () {
    yield Buffer.from(sql)
  }
  await writeBackup(file, PASSPHRASE, { manifest: whole, clicks: clicks(), sql: text() })
  return file
}

// A database of Terse with a row in it, which most of these leave as it was.
const { url, connection } = await testDatabase()
await connection.query('INSERT INTO FreedHandle (handle, freedAt) VALUES (87654321, NOW(3))')
await connection.query('CREATE TABLE Other (id INT)')
const redis = await testRedis()
const dataDir = mkdtempSync(join(tmpdir(), 'terse-unit-restore-'))
atEnd(() => rmSync(dataDir, { recursive: true }))
const spool = join(dataDir, 'spool')

async function restoreFrom(file: string, database = url): Promise<Restored> {
  const config = readConfig({
    NODE_ENV: 'test',
    DATABASE_URL: database,
    REDIS_URL: redis.url,
    DATA_DIR: dataDir,
    APP_SECRET,
    BASE_URL: 'http://terse.test',
    BLOOM_CAPACITY: '100000',
  })
  const secret = { check: () => {}, keep: () => {} }
  // Else the test's own connection would be one that uses the database.
  await connection.query('USE information_schema')
  try {
    return await restore(config, { file, passphrase: PASSPHRASE, overwrite: true, secret, tell: () => {} })
  } finally {
    await connection.query(`USE \`${new URL(url).pathname.slice(1)}\``)
  }
}

const state = async () => ({
  tables: await connection.query<unknown[]>('SHOW TABLES'),
  handles: await connection.query<unknown[]>('SELECT handle FROM FreedHandle'),
  migrations: await connection.query<unknown[]>('SELECT migration_name FROM _prisma_migrations ORDER BY 1'),
  spool: existsSync(spool) ? readdirSync(spool) : [],
})

const NAMES = migrationNames()

it.each([
  ['names no migrations', { migrations: [] }, ROW, 'does not name the migrations'],
  ['names the last migration alone', { migrations: NAMES.slice(-1) }, '', 'does not name the migrations'],
  [
    'leaves out a migration that others need',
    { migrations: NAMES.filter((name) => !/accounts/.test(name)) },
    '',
    'needs the table',
  ],
  ['has rows of a table that its migrations do not make', { migrations: NAMES.slice(0, 1) }, ROW, 'FreedHandle'],
  ['has a column that its migrations do not make', {}, 'INSERT INTO `User` (`nope`) VALUES (1);\n', 'User.nope'],
  ['has rows with too few values', {}, 'INSERT INTO `User` (`id`,`name`) VALUES (1);\n', 'one for each column'],
  ['has rows in another spelling', {}, ROW.toLowerCase(), 'a line that is not known'],
  ['was made by a newer version', { migrations: [...NAMES, '99990101000000_unknown'] }, ROW, 'a newer version of Terse'],
])('a backup that %s is refused by the check, and a restore leaves the database as it was', async (_, manifest, sql, why) => {
  const file = await backupOf(manifest, sql)
  await expect(checkBackup(file, PASSPHRASE)).rejects.toThrow(why)
  const before = await state()
  await expect(restoreFrom(file)).rejects.toThrow(why)
  expect(await state()).toEqual(before)
})

const USER = (id: string, email: string) =>
  'INSERT INTO `User` (`id`, `name`, `email`, `emailVerified`, `createdAt`, `updatedAt`, `handle`) VALUES ' +
  `('${id}','x','${email}',1,'2026-01-01 00:00:00.000','2026-01-01 00:00:00.000','1000000${id}');\n`
const ROW_DATA = 'victim\u001b]0;owned\u0007\u009b31m\u202e@example.com'

it.each([
  ['a duplicate key half-way', USER('1', 'a@example.com') + USER('2', ROW_DATA) + USER('3', ROW_DATA), 'Duplicate entry'],
  ['a text that is too long', USER('1', 'x'.repeat(5_000)), 'Data too long'],
  [
    'a statement that the server does not take',
    `INSERT INTO \`User\` (\`id\`) VALUES ('${'x'.repeat(40_000_000)}');\n`,
    'max_allowed_packet',
  ],
])('where a restore fails by %s, what was there is put back, and the error says so without data', async (_, sql, why) => {
  const file = await backupOf({}, sql, [`${'0'.repeat(32)} [["1",2]]`])
  const before = await state()
  const { message } = await restoreFrom(file).then(
    () => new Error('restored'),
    (error: Error) => error,
  )
  // MySQL takes a statement of this length by default, and then refuses the row.
  const [row] = await connection.query<{ most: bigint | number }[]>('SELECT @@max_allowed_packet AS most')
  const isUnsent = sql.length >= Number(row?.most)
  if (why !== 'max_allowed_packet' || isUnsent) expect(message).toContain(why)
  if (!isUnsent) expect(message).toContain('the database is as it was before')
  expect(message).not.toMatch(/[\p{Cc}\u202e]|victim|INSERT/u)
  expect(await state()).toEqual(before)
})

it('what a backup says of the server it is from is one line of plain text', async () => {
  const file = await backupOf({ engine: 'MariaDB\u001b[2J\nRestored: all is well\u202e' })
  expect((await checkBackup(file, PASSPHRASE)).manifest.engine).toBe('MariaDB[2J Restored: all is well')
})

/** As a restore leaves it that is killed: with its marker and its own tables, those of before out of the way. */
async function kill(): Promise<void> {
  await connection.query('CREATE TABLE _terse_restore (startedAt DATETIME(3) NOT NULL PRIMARY KEY)')
  await moveAside(connection)
  await connection.query('CREATE TABLE FreedHandle (handle INT)')
}

it('where a restore was killed and the next one fails, what was there before both is put back', async () => {
  const before = await state()
  await kill()
  await expect(restoreFrom(await backupOf({}, USER('1', 'a@x.example') + USER('2', 'a@x.example')))).rejects.toThrow(
    'as it was before',
  )
  expect(await state()).toEqual(before)
})

it('where a restore was killed, the next one ends it', async () => {
  const before = await state()
  await kill()
  const file = await backupOf({}, ROW, [`${'0'.repeat(32)} [["1",2]]`])
  expect(await restoreFrom(file)).toMatchObject({ rows: 1n, batches: 1 })
  const { spool: files, ...after } = await state()
  expect(after).toEqual({ tables: before.tables, handles: [{ handle: 12345678 }], migrations: before.migrations })
  expect(files).toHaveLength(1)
})

it('where a restore was killed after its rows were in and the next one fails, these are put back whole, and Terse waits', async () => {
  const database = await emptyDatabase()
  const own = await connectTo(database)
  onTestFinished(() => own.end())
  const make = async (handle: number) => {
    await own.query('CREATE TABLE FreedHandle (handle INT)')
    await own.query('CREATE TABLE User (id INT)')
    await own.query('INSERT INTO FreedHandle VALUES (?)', [handle])
  }
  await make(87654321)
  await own.query('CREATE TABLE _terse_restore (startedAt DATETIME(3) NOT NULL PRIMARY KEY)')
  await moveAside(own)
  await make(11111111)
  let drops = 0
  const query = (sql: string) => {
    if (sql.startsWith('DROP') && ++drops === 2) throw new Error('killed')
    return own.query(sql)
  }
  await expect(dropBefore({ query } as never)).rejects.toThrow('killed')

  await own.query('USE information_schema')
  const failing = await backupOf({}, USER('1', 'a@x.example') + USER('2', 'a@x.example'))
  const { message } = await restoreFrom(failing, database).then(
    () => new Error('restored'),
    (error: Error) => error,
  )
  expect(message).toContain('run it again')
  expect(message).not.toContain('as it was before')
  await own.query(`USE \`${new URL(database).pathname.slice(1)}\``)
  const tables = await own.query<Record<string, string>[]>('SHOW TABLES')
  expect(tables.flatMap((row) => Object.values(row)).sort()).toEqual(['FreedHandle', 'User', '_terse_restore'])
  expect(await own.query('SELECT handle FROM FreedHandle')).toEqual([{ handle: 11111111 }])
  // The marker says to the one after, too, that what it puts back is not what was there before all of them.
  expect(await own.query('SELECT startedAt FROM _terse_restore')).not.toEqual([])
})

it('a domain on which capitals make no difference is one after a restore: its links are found by any spelling', async () => {
  const host = 'folded.example'
  const link = linkRow({ domainId: 7, code: 'spring', fullShortUrl: `${host}/spring` })
  const times = "'2026-01-01 00:00:00.000'"
  const own = 'INSERT INTO `Domain` (`id`, `host`, `createdAt`, `verifiedAt`, `codeCase`) VALUES '
  const domain = `${own}(7,'${host}',${times},${times},${storedCase('ignored')});\n`
  const row =
    'INSERT INTO `Link` (`id`, `domainId`, `code`, `fullShortUrl`, `url`, `urlHash`, `createdAt`, `updatedAt`, `version`) VALUES ' +
    `(${link.id},7,'spring','${host}/spring','${link.url}',0x${Buffer.from(link.urlHash).toString('hex')},${times},${times},1);\n`
  await restoreFrom(await backupOf({}, domain + row))
  const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url, APP_SECRET })
  await settled(ctx)
  expect(ctx.domains.codeOn(host, 'SPRING')).toBe('spring')
  expect((await visit(ctx.answering, host, '/SpRiNg')).status).toBe(302)
  await expect(
    createLink(ctx, owner('alice'), CreateLink.parse({ url: 'https://example.com/', domain: host, code: 'Spring' })),
  ).rejects.toMatchObject({ code: 'conflict' })
})
