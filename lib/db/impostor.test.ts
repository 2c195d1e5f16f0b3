import { createConnection } from 'mariadb'
import { describe, expect, it } from 'vitest'
import { dumpRows } from '@/lib/backup/dump'
import { greeting, impostor, loggedIn, packet, rawServer, stripper } from '@/lib/testing/impostor'
import { testCertificates } from '@/lib/testing/tls'
import { uncaughtErrors } from '@/lib/testing/uncaught'
import { parseDatabaseUrl } from '@/lib/tools/database-url'
import { ensureTools } from '@/scripts/lib/tools.mjs'
import { openDatabase } from './client'
import { migrate, requireFitIfUp } from './migrate'
import { SqlGateway } from './sql-gateway'

const { own, foreign } = await testCertificates()
const { dump } = await ensureTools(['dump'])

const PASSWORD = 'the-real-password'

/** All that opens connections, each until it ends. */
const CLIENTS: Record<string, (url: string) => Promise<unknown>> = {
  'our own statements': async (url) => {
    const gateway = new SqlGateway(url, 1)
    await gateway.rows('SELECT 1').finally(() => gateway.close())
  },
  Prisma: async (url) => {
    const prisma = openDatabase(url, 1)
    await prisma.$queryRawUnsafe('SELECT 1').finally(() => prisma.$disconnect())
  },
  migrations: (url) => migrate(url),
  // Takes a database that it cannot reach for one that is away.
  'an edge process': async (url) => {
    await requireFitIfUp(url)
    throw new Error('none')
  },
  'the program that makes backups': async (url) => {
    for await (const _ of dumpRows(dump ?? '', url, [])) {
      // Rows would be an impostor's.
    }
  },
}

const GREETINGS = [
  ['5.5.5-11.4.2-MariaDB', 'mysql_clear_password'],
  ['5.5.5-11.4.2-MariaDB', 'mysql_native_password'],
  ['5.5.5-10.11.6-MariaDB', 'mysql_clear_password'],
  ['8.4.0', 'mysql_clear_password'],
] as const

const urlOf = (host: string, port: number, options: Record<string, string>) =>
  `mysql://terse:${PASSWORD}@${host}:${port}/terse?${new URLSearchParams(options)}`

describe.each(Object.entries(CLIENTS))('%s', (_, connect) => {
  it.each(GREETINGS)('says nothing to an impostor that greets as %s and asks by %s', async (version, plugin) => {
    const fake = await impostor(own, version, plugin)
    const tries = [
      ['127.0.0.1', { 'ssl-mode': 'VERIFY_IDENTITY', 'ssl-ca': foreign.ca }],
      ['127.0.0.1', { 'ssl-mode': 'VERIFY_CA', 'ssl-ca': foreign.ca }],
      ['127.0.0.1', { 'ssl-mode': 'VERIFY_IDENTITY' }],
      // By a trusted authority, for another host.
      ['localhost', { 'ssl-mode': 'VERIFY_IDENTITY', 'ssl-ca': own.ca }],
    ] as const
    const ended = tries.map(([host, options]) => expect(connect(urlOf(host, fake.port, options))).rejects.toThrow())
    await Promise.all(ended)
    expect(fake.heard()).toBe('')
    expect(fake.asked()).toBeGreaterThanOrEqual(tries.length)
  })
})

it.each(Object.entries(CLIENTS))('%s says nothing to one that greets without TLS', async (client, connect) => {
  const fake = await stripper('8.4.0', 'mysql_clear_password')
  const verifying = ['VERIFY_IDENTITY', 'VERIFY_CA'].map((mode) => ({ 'ssl-mode': mode, 'ssl-ca': own.ca }))
  // MariaDB's own program goes on in plain text where nothing is verified: docs/operations.md says so.
  const tries = client === 'the program that makes backups' ? verifying : [...verifying, { 'ssl-mode': 'REQUIRED' }]
  await Promise.all(tries.map((options) => expect(connect(urlOf('127.0.0.1', fake.port, options))).rejects.toThrow()))
  expect(fake.heard()).toBe('')
})

it('an impostor hears the password where the certificate is not checked', async () => {
  const fake = await impostor(own, '5.5.5-11.4.2-MariaDB', 'mysql_clear_password')
  await expect(migrate(urlOf('127.0.0.1', fake.port, { 'ssl-mode': 'REQUIRED' }))).rejects.toThrow()
  expect(fake.heard()).toContain(PASSWORD)
})

const hello = greeting('5.5.5-11.4.2-MariaDB', 'mysql_native_password')
const mysqlHello = greeting('8.4.0', 'mysql_native_password')
const cutOff = packet(0, Buffer.from('\x0a8.'))

/** All but the program that makes backups, which is of another make. */
const DRIVERS = Object.entries(CLIENTS).flatMap(([name, connect]) => (name.startsWith('the program') ? [] : connect))

const PACKETS: [string, Buffer[]][] = [
  ['a greeting of MariaDB with an OK behind it', [Buffer.concat([hello, loggedIn()])]],
  ['a greeting of MySQL with an OK behind it', [Buffer.concat([mysqlHello, loggedIn()])]],
  [
    'a greeting in two pieces with an OK behind it',
    [mysqlHello.subarray(0, 9), Buffer.concat([mysqlHello.subarray(9), loggedIn()])],
  ],
  ['a greeting, and an OK after it', [mysqlHello, loggedIn()]],
  ['a greeting with an OK that is cut short', [Buffer.concat([mysqlHello, packet(2, Buffer.from([0, 0xfe, 1]))])]],
  ['a greeting with the beginning of a packet', [Buffer.concat([mysqlHello, loggedIn().subarray(0, 2)])]],
  ['a greeting with a login that leads elsewhere', [Buffer.concat([mysqlHello, loggedIn('mysql://127.0.0.1:9')])]],
  ['a greeting that is cut short', [cutOff]],
  ['an empty packet', [packet(0, Buffer.alloc(0)), hello]],
  ['an OK for a greeting', [loggedIn()]],
  ['no packet', [Buffer.from('SSH-2.0-OpenSSH_9\r\n')]],
]

describe.each(['REQUIRED', 'VERIFY_CA', 'VERIFY_IDENTITY'])('before the connection is encrypted with ssl-mode=%s', (mode) => {
  const options = { 'ssl-mode': mode, ...(mode !== 'REQUIRED' && { 'ssl-ca': own.ca }) }

  it('packets in plain are errors, and neither a login nor the end of the process', async () => {
    const uncaught = uncaughtErrors()
    const tries = PACKETS.map(async ([name, writes]) => {
      const server = await rawServer(writes)
      const url = urlOf('127.0.0.1', server.port, options)
      const ended = DRIVERS.map((connect) => expect(connect(url), name).rejects.toThrow())
      await Promise.all(ended)
      expect(server.connections(), name).toBeGreaterThanOrEqual(ended.length)
      expect(server.heard(), name).not.toContain('terse')
    })
    const began = performance.now()
    await Promise.all(tries)
    // Ten seconds are what a pool waits for a connection that it takes for one in use.
    expect(performance.now() - began).toBeLessThan(9_000)
    expect(uncaught).toEqual([])
  })
})

it('without TLS, what the driver cannot read is an error, and does not end the process', async () => {
  const uncaught = uncaughtErrors()
  for (const writes of [[cutOff], [Buffer.concat([mysqlHello, packet(2, Buffer.from([0, 0xfe, 1]))])]]) {
    const server = await rawServer(writes)
    await expect(migrate(urlOf('127.0.0.1', server.port, {}))).rejects.toThrow()
  }
  expect(uncaught).toEqual([])
})

it('a server cannot send the driver to another, even one whose certificate is verified', async () => {
  const other = await rawServer([hello])
  const redirect = loggedIn(`mysql://127.0.0.1:${other.port}`)
  const server = await impostor(own, '8.4.0', 'mysql_native_password', redirect)
  const connection = await createConnection({
    ...parseDatabaseUrl(urlOf('127.0.0.1', server.port, { 'ssl-ca': own.ca })),
    collation: 'UTF8MB4_BIN', // set up without a statement
  })
  connection.destroy()
  expect([server.asked(), other.connections()]).toEqual([1, 0])
})
