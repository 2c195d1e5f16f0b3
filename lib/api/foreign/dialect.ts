import type { Account, Actor } from '@/lib/actor'
import type { TerseError } from '@/lib/errors'
import type { Writer } from '@/lib/i18n/message'
import type { EachPolicy } from '@/lib/net/limits'
import type { Runtime } from '@/lib/runtime'
import type { Fields } from './fields'

/** What the API of another shortener is made of. It decides nothing: it translates to the use cases of our own. */
export interface Dialect {
  /** The first that fits a request answers it. */
  endpoints: readonly ForeignEndpoint[]
  /** Who shows what came with a request; null if nothing did. @throws TerseError 'unauthorized' for what is no good */
  identify: (ctx: Runtime, asked: Asked) => Promise<Pick<Actor, 'account' | 'ownerId' | 'scope' | 'manageToken'> | null>
  /** A refusal as its clients know it. */
  refuse: (refusal: Refusal) => Response
  /** What the documentation tells in place of its endpoints. */
  actions?: readonly { method: string; path: string; summary: string }[]
  /** Headers by which a page of another site may show its key. */
  keyHeaders: readonly string[]
}

/** A request, as far as it was read before it is known who asks. */
export interface Asked {
  request: Request
  /** Parameters of the path, decoded. */
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  /** What was sent, as JSON or as a form; empty for nothing. */
  fields: Fields
}

export interface Refusal {
  error: TerseError
  /** Writes messages in the language of the client. */
  write: Writer
  /** Not there if the body could not be read. */
  asked: Asked
}

/** What an endpoint of another shortener declares. Unlike ours, the method doesn’t say whether it changes anything. */
export interface ForeignSpec {
  method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT'
  /** `{name}` is one segment, and `{name+}` any number of them. */
  path: string
  /** For the documentation. */
  summary: string
  limit: EachPolicy
  /** `nothing`: it is open to everyone, and does not ask who calls. */
  needs: 'nothing' | 'account' | 'admin'
  /** Whether it changes anything: keys that only read may not. */
  changes: boolean
  /** Its body is a list: `items` among its fields. */
  isList?: true
}

/** What most endpoints state: those that show something of the account, and those that change something. */
export const READS = { limit: 'api', needs: 'account', changes: false } as const
export const CHANGES = { limit: 'api', needs: 'account', changes: true } as const

export interface ForeignCall extends Asked {
  ctx: Runtime
  actor: Actor
  account: Account
  /** The caller’s address. */
  address: string
  /** What the answer is to have besides. */
  headers: Headers
  /**
   * For an endpoint that may change something: asked once that is known. Counts towards the limit of creating links.
   * @throws TerseError 'forbidden' for a key that only reads, 'rate_limited'
   */
  requireChange: () => Promise<void>
}

/** Answers a call: a Response, or what is sent as JSON. */
type ForeignHandler = (call: ForeignCall) => Promise<unknown>

export interface ForeignEndpoint extends ForeignSpec {
  handle: ForeignHandler
  /** Matches its path. */
  pattern: RegExp
  names: readonly string[]
}

type At = `${ForeignSpec['method']} /${string}`

/**
 * An endpoint of another shortener, said once.
 * @param at method and path: `GET /rest/v{version}/tags`
 */
export function foreignEndpoint(at: At, spec: Omit<ForeignSpec, 'method' | 'path'>, handle: ForeignHandler): ForeignEndpoint {
  const [method, path = ''] = at.split(' ') as [ForeignSpec['method'], string]
  const names: string[] = []
  const source = path.replace(/[.$]/g, '\\$&').replace(/\{(\w+)(\+?)\}/g, (_, name: string, more: string) => {
    names.push(name)
    return more ? '(.+?)' : '([^/]+)'
  })
  return { ...spec, method, path, handle, names, pattern: new RegExp(`^${source}/?$`) }
}
