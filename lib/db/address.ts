/** Takes a `mysql://` URL apart. */
export function parseDatabaseUrl(databaseUrl: string) {
  const url = new URL(databaseUrl)
  return {
    host: url.hostname,
    port: Number(url.port || 3306),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
  }
}

/**
 * Told with the handshake, so that a new connection is set up without a statement: mariadb 3.4.5 ends the whole
 * process, by a rejection that nobody can catch, when a connection is lost during one (SET NAMES, SET time_zone).
 * Hence no `timezone` either; times are DATETIME columns, written and read as UTC whatever the session's zone.
 */
const CONNECTION_COLLATION = 'UTF8MB4_BIN'

/** A pool of connections as the driver takes it, whether it is ours or Prisma's; waiting for one fails after 1.5 s. */
export const poolOptions = (databaseUrl: string, size: number) => ({
  ...parseDatabaseUrl(databaseUrl),
  connectionLimit: size,
  acquireTimeout: 1_500,
  connectTimeout: 1_500,
  // MySQL 8.4's default authentication asks for its key over a connection without TLS.
  allowPublicKeyRetrieval: true,
  collation: CONNECTION_COLLATION,
})
