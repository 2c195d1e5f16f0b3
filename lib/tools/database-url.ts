import { readFileSync } from 'node:fs'
import { isIP, type Socket } from 'node:net'
import { checkServerIdentity, type PeerCertificate, type SecureVersion } from 'node:tls'
import { openSocket } from './driver-socket'
import { unverified, verified } from './driver-tls'
import { parseUrl } from './url'

/** As the driver takes it. */
export interface DatabaseAddress {
  host: string
  port: number
  user: string
  password: string
  /** Empty: none. */
  database: string
  /** Without it, the connection is not encrypted. */
  ssl?: DatabaseTls
  stream: () => Socket
  /** The driver would follow a server to another, over what DATABASE_URL says. */
  permitRedirect: false
}

/** What `tls.connect` is given. */
export interface DatabaseTls {
  rejectUnauthorized: boolean
  minVersion?: SecureVersion
  checkServerIdentity: typeof checkServerIdentity
  servername?: string
  ca?: string
  cert?: string
  key?: string
}

/** The names are those of MySQL's own programs and of hosted databases, whose URLs can be used as they are. */
const MODES = ['DISABLED', 'REQUIRED', 'VERIFY_CA', 'VERIFY_IDENTITY'] as const
const FILES = ['ssl-ca', 'ssl-cert', 'ssl-key'] as const
type Mode = (typeof MODES)[number]

/**
 * Reads DATABASE_URL: `mysql://user:password@host:port/name`, and for an encrypted connection
 * `?ssl-mode=VERIFY_IDENTITY&ssl-ca=/path/to/ca.pem&ssl-cert=…&ssl-key=…`. A file alone stands for VERIFY_IDENTITY; without
 * `ssl-ca`, the authorities are those that Node trusts. What else stands behind `?` is left to others.
 * @throws RangeError saying what is wrong with it
 */
export function parseDatabaseUrl(text: string): DatabaseAddress {
  if (!/^(mysql|mariadb):\/\//.test(text)) throw new RangeError('must begin with mysql:// or mariadb://')
  const url = parseUrl(text)
  if (!url) throw new RangeError('is not a URL')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port || 3306)
  const ssl = readTls(text, host)
  return {
    host,
    port,
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
    ...(ssl && { ssl }),
    stream: () => openSocket(host, port, ssl !== null),
    permitRedirect: false,
  }
}

/**
 * What a URL says of TLS, under the names of MySQL's own programs.
 * @returns null: no TLS
 * @throws RangeError as parseDatabaseUrl
 */
export function tlsOptions(
  text: string,
): ({ 'ssl-mode': Exclude<Mode, 'DISABLED'> } & { [name in (typeof FILES)[number]]?: string }) | null {
  const query = new URL(text).searchParams
  const known: readonly string[] = ['ssl-mode', ...FILES]
  // Left out of account, one of another program's would be a connection that everybody can read.
  const other = [...query.keys()].find((name) => /^(ssl|tls|usessl|requiressl)/i.test(name) && !known.includes(name))
  if (other) throw new RangeError(`has the unknown option ${other}; use ${known.join(', ')}`)
  const given = FILES.filter((name) => query.has(name))
  const wanted = query.get('ssl-mode')?.toUpperCase() ?? (given.length > 0 ? 'VERIFY_IDENTITY' : 'DISABLED')
  const mode = MODES.find((one) => one === wanted)
  if (!mode) throw new RangeError(`has an unknown ssl-mode; use ${MODES.join(', ')}`)
  if (query.has('ssl-cert') !== query.has('ssl-key')) throw new RangeError('needs ssl-cert and ssl-key together')
  if (mode !== 'DISABLED') return { 'ssl-mode': mode, ...Object.fromEntries(given.map((name) => [name, query.get(name) ?? ''])) }
  if (given[0]) throw new RangeError(`has ${given[0]}, but ssl-mode=DISABLED`)
  return null
}

function readTls(text: string, host: string): DatabaseTls | null {
  const options = tlsOptions(text)
  if (!options) return null
  const mode = options['ssl-mode']
  const [ca, cert, key] = FILES.map((name) => readPem(name, options[name]))
  const encrypted: Omit<DatabaseTls, 'rejectUnauthorized'> = {
    // By itself, the driver would hold the certificate of a server that is reached by its address against `localhost`.
    // The driver asks also where there is no certificate, since the connection is not encrypted.
    checkServerIdentity: (_, certificate: PeerCertificate | undefined) => {
      if (!certificate) return new Error('there is no certificate')
      return mode === 'VERIFY_IDENTITY' ? checkServerIdentity(host, certificate) : undefined
    },
    // TLS knows no addresses here (RFC 6066, 3).
    ...(isIP(host) === 0 && { servername: host }),
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  }
  return mode === 'REQUIRED' ? unverified(encrypted) : verified(encrypted)
}

function readPem(name: string, path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  try {
    const text = readFileSync(path, 'utf8')
    if (text.includes('-----BEGIN ')) return text
  } catch (error) {
    throw new RangeError(`names a file for ${name} that cannot be read: ${(error as Error).message}`)
  }
  throw new RangeError(`names a file for ${name} that is not PEM: ${path}`)
}
