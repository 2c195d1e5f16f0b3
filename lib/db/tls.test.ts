import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { atEnd } from '@/lib/testing/cleanup'
import { cutAfter } from '@/lib/testing/cut'
import { tlsDatabase } from '@/lib/testing/tls'
import { uncaughtErrors } from '@/lib/testing/uncaught'
import { parseDatabaseUrl } from '@/lib/tools/database-url'
import { openDatabase } from './client'
import { migrate } from './migrate'
import { SqlGateway } from './sql-gateway'

const { urlWith, own, foreign } = await tlsDatabase()

/** The cipher of the connection, by our own statements and by Prisma's. */
async function ciphers(url: string): Promise<string[]> {
  const statement = "SHOW STATUS LIKE 'Ssl_cipher'"
  const gateway = new SqlGateway(url, 1)
  const prisma = openDatabase(url, 1)
  try {
    const rows = await gateway.rows<{ Value: string }>(statement)
    const others = await prisma.$queryRawUnsafe<{ Value: string }[]>(statement)
    return [...rows, ...others].map(({ Value }) => Value)
  } finally {
    await Promise.all([gateway.close(), prisma.$disconnect()])
  }
}

const refusal = (url: string) =>
  ciphers(url).then(
    () => 'none',
    (error: Error) => String(error.cause instanceof Error ? error.cause.message : error.message),
  )

describe('a database that takes no connection without TLS', () => {
  it.each([
    ['ssl-ca alone', { 'ssl-ca': own.ca }, '127.0.0.1'],
    ['ssl-mode=VERIFY_IDENTITY', { 'ssl-mode': 'VERIFY_IDENTITY', 'ssl-ca': own.ca }, '127.0.0.1'],
    ['ssl-mode=VERIFY_CA, for another host', { 'ssl-mode': 'verify_ca', 'ssl-ca': own.ca }, 'localhost'],
    ['ssl-mode=REQUIRED, by nobody’s authority', { 'ssl-mode': 'REQUIRED' }, '127.0.0.1'],
    ['a certificate of the client', { 'ssl-ca': own.ca, 'ssl-cert': own.cert, 'ssl-key': own.key }, '127.0.0.1'],
  ])('is used with %s, by our own statements and by Prisma’s', async (_, options, host) => {
    expect(await ciphers(urlWith(options, host))).toEqual([
      expect.stringMatching(/AES|CHACHA/),
      expect.stringMatching(/AES|CHACHA/),
    ])
  })

  it('is migrated over TLS', async () => {
    const [first, ...others] = await migrate(urlWith({ 'ssl-ca': own.ca }))
    expect([first, others.length]).toEqual([expect.stringContaining('_'), expect.any(Number)])
  })

  it('is not used without TLS', async () => {
    expect(await refusal(urlWith({}))).not.toBe('none')
  })

  it.each([
    ['whose certificate another authority issued', { 'ssl-ca': foreign.ca }, '127.0.0.1'],
    ['whose certificate no authority of Node’s issued', { 'ssl-mode': 'VERIFY_IDENTITY' }, '127.0.0.1'],
    ['whose certificate is for another host', { 'ssl-ca': own.ca }, 'localhost'],
  ])('is not used %s', async (_, options, host) => {
    expect(await refusal(urlWith(options, host))).not.toBe('none')
  })
})

/** Node ends a process to which a socket tells an error that nobody listens to. */
describe('a connection that is lost while it is being encrypted', () => {
  it.each([
    ['REQUIRED', {}],
    ['VERIFY_IDENTITY', { 'ssl-ca': own.ca }],
  ])('is an error of the query with ssl-mode=%s, and ends no process', async (mode, options) => {
    const uncaught = uncaughtErrors()
    for (const times of [1, 2, 3]) {
      const url = await cutAfter(times, urlWith({ 'ssl-mode': mode, ...options }))
      expect(await refusal(url)).not.toBe('none')
    }
    expect(uncaught).toEqual([])
  })
})

describe('DATABASE_URL', () => {
  const dir = mkdtempSync(join(tmpdir(), 'terse-unit-pem-'))
  atEnd(() => rmSync(dir, { recursive: true }))
  const empty = join(dir, 'empty.pem')
  writeFileSync(empty, '')
  it.each([
    ['sslaccept=strict', 'has the unknown option sslaccept; use ssl-mode, ssl-ca, ssl-cert, ssl-key'],
    ['ssl=true', 'has the unknown option ssl; use'],
    ['tls=1', 'has the unknown option tls; use'],
    ['ssl-mode=PREFERRED', 'has an unknown ssl-mode; use DISABLED, REQUIRED, VERIFY_CA, VERIFY_IDENTITY'],
    ['ssl-mode=DISABLED&ssl-ca=/x', 'has ssl-ca, but ssl-mode=DISABLED'],
    ['ssl-mode=REQUIRED&ssl-key=/x', 'needs ssl-cert and ssl-key together'],
    ['ssl-ca=/no/such/file', 'names a file for ssl-ca that cannot be read: ENOENT'],
    [`ssl-ca=${empty}`, `names a file for ssl-ca that is not PEM: ${empty}`],
  ])('with ?%s is refused with what is wrong', (query, message) => {
    expect(() => parseDatabaseUrl(`mysql://u:p@h/d?${query}`)).toThrow(message)
  })

  it.each(['', '?connection_limit=5', '?ssl-mode=DISABLED'])('with %s is one without TLS', (query) => {
    expect(parseDatabaseUrl(`mysql://u:p@h/d${query}`)).not.toHaveProperty('ssl')
  })
})
