import { parseUrl } from './url'

const SENTINEL_PORT = 26_379

/** Where Redis is: one server, a Redis Cluster by several of its nodes, or a master whose name Sentinels know. */
export type RedisAddress =
  | { kind: 'server'; url: string }
  | { kind: 'cluster'; urls: string[]; options: NodeOptions }
  | { kind: 'sentinel'; options: SentinelOptions }

/** What holds for all nodes of a cluster, also those that are found by asking others; as ioredis takes it. */
export interface NodeOptions {
  username?: string
  password?: string
  tls?: object
}

/** As ioredis takes them. */
export interface SentinelOptions {
  sentinels: { host: string; port: number }[]
  /** Under which the Sentinels know the master. */
  name: string
  db: number
  username?: string
  password?: string
  sentinelUsername?: string
  sentinelPassword?: string
  /** Of the connections to the Sentinels. */
  sentinelTLS?: object
  /** Of the connection to the master, if the next is set too. */
  tls?: object
  enableTLSForSentinelMode?: boolean
}

/**
 * Reads REDIS_URL: `redis[s]://…`, several of these separated by commas for a Redis Cluster, or
 * `redis[s]+sentinel://[user:password@]host:port,host:port/name[/database][?sentinel_password=…&sentinel_user=…]`,
 * where user and password are those of the servers. With `rediss`, all connections are encrypted: of Sentinels and nodes too.
 * @throws RangeError saying what is wrong with it
 */
export function parseRedisUrl(text: string): RedisAddress {
  if (/^rediss?\+sentinel:/.test(text)) return { kind: 'sentinel', options: parseSentinel(text) }
  const urls = text.split(',')
  for (const url of urls) {
    if (!/^rediss?:\/\//.test(url)) throw new RangeError('must begin with redis://, rediss:// or redis+sentinel://')
    if (!parseUrl(url)) throw new RangeError('is no URL')
  }
  return urls.length === 1 ? { kind: 'server', url: text } : { kind: 'cluster', urls, options: parseNodes(urls) }
}

function parseNodes(texts: readonly string[]): NodeOptions {
  const [first, ...others] = texts.map((text) => new URL(text))
  if (!first) return {}
  const { protocol, username, password } = first
  if (others.some((url) => url.protocol !== protocol)) throw new RangeError('mixes redis:// and rediss://')
  if (others.some((url) => url.username !== username || url.password !== password))
    throw new RangeError('gives nodes of one cluster different users or passwords')
  return {
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' && { tls: {} }),
  }
}

function parseSentinel(text: string): SentinelOptions {
  const [, secure, credentials = '', hosts = '', path = '', search = ''] =
    /^redis(s?)\+sentinel:\/\/(?:([^@/]*)@)?([^@/?]+)\/([^?]*)(?:\?(.*))?$/.exec(text) ?? []
  const [name = '', database = '0', ...rest] = path.split('/')
  if (name === '') throw new RangeError('names no master: redis+sentinel://host:26379,host2:26379/name')
  if (!/^\d{1,5}$/.test(database) || rest.length > 0)
    throw new RangeError('ends with something other than /name or /name/database')
  const [username = '', ...password] = credentials.split(':')
  const query = new URLSearchParams(search)
  const sentinelUsername = query.get('sentinel_user')
  const sentinelPassword = query.get('sentinel_password')
  return {
    sentinels: hosts.split(',').map(parseHost),
    name: decodeURIComponent(name),
    db: Number(database),
    ...(username && { username: decodeURIComponent(username) }),
    ...(password.length > 0 && { password: decodeURIComponent(password.join(':')) }),
    ...(sentinelUsername && { sentinelUsername }),
    ...(sentinelPassword && { sentinelPassword }),
    ...(secure && { sentinelTLS: {}, tls: {}, enableTLSForSentinelMode: true }),
  }
}

function parseHost(text: string): { host: string; port: number } {
  const url = parseUrl(`redis://${text}`)
  if (!url?.hostname) throw new RangeError(`names a Sentinel that is no host: ${text}`)
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port === '' ? SENTINEL_PORT : Number(url.port) }
}
