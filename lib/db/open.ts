import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { type Connection, type ConnectionConfig, createConnection, createPool, type Pool, type PoolConfig } from 'mariadb'
import { parseDatabaseUrl } from '@/lib/tools/database-url'

/*
 * The only places that open connections to MySQL. The driver (mariadb 3.4.5) can end the whole process, from where nobody can
 * catch it, by a connection that is
 * - lost while it is being set up by a statement (SET NAMES, SET time_zone): hence neither `timezone` nor another character set
 *   than utf8mb4, which is told with the handshake
 * - lost or refused while nobody uses it, unless someone listens to its errors
 * - destroyed while a statement is under way: the driver would open another to KILL the first, and what becomes of that is a
 *   rejection that nobody holds. Behind a proxy, the KILL could also reach another server, and a connection that is not ours.
 */

/** Times are DATETIME columns, written and read as UTC whatever the session's zone. */
const CONNECTION_COLLATION = 'UTF8MB4_BIN'

// MySQL 8.4's default authentication asks for its key over a connection without TLS.
const AUTHENTICATION = { allowPublicKeyRetrieval: true }

const closed = () => new Error('the connection was closed, as what it was used for failed')
const ignore = () => {}

/** A connection as the pool tells of it: the driver's own, not what its users are given. */
interface RawConnection extends EventEmitter {
  /** Encrypted, if the connection is. None once it is closed. */
  socket?: Socket
  destroy: () => void
  query: (statement: { sql: string }, done: () => void, failed: () => void) => void
}

/**
 * What all statements are written for, whatever the server's own default is. It lies in front of the first one, and not in the
 * driver's own set-up: see above.
 */
const ISOLATION = 'SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ'

/** A pool of connections, whether it is ours or Prisma's; waiting for one fails after 1.5 s. */
export function openPool(databaseUrl: string, size: number, options: PoolConfig): Pool {
  const pool = createPool({
    ...parseDatabaseUrl(databaseUrl),
    ...AUTHENTICATION,
    connectionLimit: size,
    acquireTimeout: 1_500,
    connectTimeout: 1_500,
    collation: CONNECTION_COLLATION,
    prepareCacheLength: 0,
    ...options,
  })
  pool.on('connection', (connection) => {
    const raw = connection as unknown as RawConnection
    // The pool itself listens to the first error only.
    raw.on('error', ignore)
    raw.destroy = () => raw.socket?.destroy(closed())
  })
  const isolated = new WeakSet<RawConnection>()
  // The first time is before `connection`, and before anyone who waits for it sends a statement.
  pool.on('acquire', (connection) => {
    const raw = connection as unknown as RawConnection
    if (isolated.has(raw)) return
    isolated.add(raw)
    raw.query({ sql: ISOLATION }, ignore, () => raw.socket?.destroy(closed()))
  })
  return pool
}

/**
 * A connection of its own; end it. Statements under way when it is destroyed fail.
 * @throws what the driver throws
 */
export async function openConnection(databaseUrl: string, options: ConnectionConfig = {}): Promise<Connection> {
  const { stream, ...address } = parseDatabaseUrl(databaseUrl)
  let socket: Socket | undefined
  const connection = await createConnection({
    ...address,
    ...AUTHENTICATION,
    ...options,
    stream: () => {
      socket = stream()
      return socket
    },
  })
  connection.on('error', ignore)
  connection.destroy = () => socket?.destroy(closed())
  return connection
}
