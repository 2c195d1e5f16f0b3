import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { atEnd } from '@/lib/testing/cleanup'
import { eventually } from '@/lib/testing/eventually'
import { greeting } from '@/lib/testing/impostor'
import { done, header, oneRow, refused, row, type Script, scriptedDatabase } from '@/lib/testing/scripted-database'
import { testCertificates } from '@/lib/testing/tls'
import { uncaughtErrors } from '@/lib/testing/uncaught'
import { openDatabase } from './client'
import { migrate, requireFitIfUp } from './migrate'
import { SqlGateway } from './sql-gateway'

/*
 * What a database says, or somebody who sits between, is an error of the query at worst. It ends no process.
 */

const { own } = await testCertificates()
const VERIFIED = `?${new URLSearchParams({ 'ssl-mode': 'VERIFY_IDENTITY', 'ssl-ca': own.ca })}`

const urlOf = (port: number, query = '') => `mysql://terse:password@127.0.0.1:${port}/terse${query}`

/** Numbers of collations whose character sets Node does not know: dec8, hp8, swe7, koi8r and others. */
const COLLATIONS = [3, 6, 10, 12, 37, 38, 92, 97]

describe('a greeting with a character set that the driver cannot write', () => {
  it.each(COLLATIONS)('changes nothing, whoever put it there: collation %i', async (collation) => {
    const uncaught = uncaughtErrors()
    const plain = await scriptedDatabase({ greeting: greeting('8.4.0', 'mysql_native_password', undefined, collation) })
    const verified = await changedGreeting(collation, (await scriptedDatabase({ certificates: own })).port)
    for (const url of [urlOf(plain.port), urlOf(verified, VERIFIED)]) {
      const [gateway, prisma] = [new SqlGateway(url, 1), openDatabase(url, 1)]
      atEnd(() => Promise.all([gateway.close(), prisma.$disconnect()]))
      expect(await gateway.rows('SELECT 1')).toEqual([{ ok: '1' }])
      expect(await prisma.$queryRawUnsafe('SELECT 1')).toEqual([{ ok: '1' }])
      // The statements of these mean nothing to it.
      await Promise.allSettled([migrate(url), requireFitIfUp(url)])
    }
    expect(uncaught).toEqual([])
  })
})

describe('an idle connection', () => {
  const killed = refused(1927, '70100', 'Connection was killed', 0)
  const shutdown = refused(1053, '08S01', 'Server shutdown in progress', 0)
  it.each([
    ['is killed', [killed], true],
    ['is killed twice', [killed, killed], true],
    ['hears of a shutdown', [shutdown], true],
    ['hears of a shutdown, and no more', [shutdown], false],
    ['hears what nobody asked for', [done(), done()], true],
    ['ends', [], true],
  ])('that %s is replaced by another, and ends no process', async (_, packets, isEnded) => {
    const uncaught = uncaughtErrors()
    for (const query of ['', VERIFIED]) {
      for (const open of [ourStatements, prismaStatements]) {
        const sockets: Socket[] = []
        const heard = (_sql: string, socket: Socket) => {
          sockets.push(socket)
          return undefined
        }
        const server = await scriptedDatabase({ answer: heard, ...(query !== '' && { certificates: own }) })
        const { ask } = open(urlOf(server.port, query))
        await ask()
        const [idle] = sockets.slice(-1)
        idle?.write(Buffer.concat(packets))
        if (isEnded) idle?.end()
        if (isEnded) await eventually(() => expect(idle?.destroyed).toBe(true))
        await eventually(ask)
      }
    }
    expect(uncaught).toEqual([])
  })
})

describe('a transaction that fails while statements are under way', () => {
  it.each([
    ['is refused', refused(1094, 'HY000', 'Unknown thread id: 1')],
    ['is not answered', null],
  ])('opens no connection to end them, which somebody %s', async (_, killed) => {
    const uncaught = uncaughtErrors()
    for (const query of ['', VERIFIED]) {
      const server = await scriptedDatabase({
        ...(query !== '' && { certificates: own }),
        answer: (sql) =>
          sql.includes('nothing')
            ? refused(1146, '42S02', 'no such table')
            : sql.includes('KILL')
              ? killed
              : sql.includes('SLEEP')
                ? null
                : undefined,
      })
      const gateway = new SqlGateway(urlOf(server.port, query), 1)
      atEnd(() => gateway.close())
      const failed = gateway.transaction(async (tx) => {
        await Promise.all([tx.rows('SELECT nothing', []), tx.rows('SELECT SLEEP(9)', []), tx.rows('SELECT SLEEP(9)', [])])
      })
      await expect(failed).rejects.toThrow('no such table')
      // By another connection: the only one of the pool was given up.
      await eventually(() => gateway.rows('SELECT 1'))
      expect([server.connections(), server.statements.filter((sql) => sql.includes('KILL'))]).toEqual([2, []])
    }
    expect(uncaught).toEqual([])
  })
})

describe('a process that starts while MySQL is away', () => {
  const wsrep = refused(1047, '08S01', 'WSREP has not yet prepared node for application use')
  const AWAY: [string, Script][] = [
    ['cuts the connection at the first statement', { answer: (_, socket) => void socket.destroy() }],
    ['refuses every statement', { answer: () => wsrep }],
    ['takes logins and answers nothing', { answer: () => null }],
    ['sends rows without an end', { answer: (_, socket) => endless(socket) }],
  ]
  it.each(AWAY)('starts within seconds where it %s, whatever its character set is', async (_, script) => {
    const uncaught = uncaughtErrors()
    const greetings = [8, 45].map((collation) => greeting('8.4.0', 'mysql_native_password', undefined, collation))
    const plain = greetings.map((greeting) => scriptedDatabase({ ...script, greeting }))
    const verified = greetings.map((greeting) => scriptedDatabase({ ...script, greeting, certificates: own }))
    const servers = await Promise.all([...plain, ...verified])
    const began = performance.now()
    await Promise.all(servers.map(({ port }, i) => requireFitIfUp(urlOf(port, i < 2 ? '' : VERIFIED))))
    expect(performance.now() - began).toBeLessThan(5_000)
    await eventually(() => expect(servers.map((server) => server.open())).toEqual([0, 0, 0, 0]))
    expect(uncaught).toEqual([])
  })
})

it('migrations end with an error, and not with the process, where the connection is cut at any statement', async () => {
  const uncaught = uncaughtErrors()
  for (const cut of [1, 2, 3]) {
    let heard = 0
    const { port } = await scriptedDatabase({
      greeting: greeting('8.4.0', 'mysql_native_password', undefined, 8),
      answer: (sql, socket) => {
        heard += 1
        if (heard === cut) socket.destroy()
        return sql.includes('sql_mode') ? oneRow('STRICT_TRANS_TABLES', 'mode') : undefined
      },
    })
    await expect(migrate(urlOf(port))).rejects.toThrow()
    expect(heard).toBe(cut)
  }
  expect(uncaught).toEqual([])
})

/** Says a row again and again, for as long as somebody listens. */
function endless(socket: Socket): null {
  const rows = Buffer.concat(Array.from({ length: 1_000 }, () => row('1')))
  const more = () => {
    while (!socket.destroyed && socket.write(rows));
  }
  socket.write(header())
  socket.on('drain', more)
  more()
  return null
}

/** A way to ask what any database answers. */
function ourStatements(url: string): { ask: () => Promise<unknown> } {
  const gateway = new SqlGateway(url, 1)
  atEnd(() => gateway.close())
  return { ask: () => gateway.rows('SELECT 1') }
}

function prismaStatements(url: string): { ask: () => Promise<unknown> } {
  const prisma = openDatabase(url, 1)
  atEnd(() => prisma.$disconnect())
  return { ask: () => prisma.$queryRawUnsafe('SELECT 1') }
}

/** Somebody who changes the collation of a database's greeting, and passes on the rest. @returns the port */
async function changedGreeting(collation: number, port: number): Promise<number> {
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
    }
    client.pipe(upstream)
    upstream.once('data', (bytes: Buffer) => {
      // Behind the version: the number of the connection, half of the seed, a filler, half of the capabilities.
      bytes[bytes.indexOf(0, 5) + 1 + 4 + 8 + 1 + 2] = collation
      client.write(bytes)
      upstream.pipe(client)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => server.close())
  return (server.address() as AddressInfo).port
}
