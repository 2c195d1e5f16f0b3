import type { DatabaseGateway } from '@/lib/db/gateway'
import type { Domains } from '@/lib/domains/domains'
import { invalidField, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { findLabels } from '@/lib/labels/labels'

/** The numbers that stand for kinds in the table. Tags and folders are both labels. */
const SCOPE_KINDS = { all: 0, domain: 1, label: 2 } as const

/** Some links of an account: those that are in it now, archived ones included. */
export interface Scope {
  ownerId: string
  kind: keyof typeof SCOPE_KINDS
  /** The ID of the domain or label; 0 for all links. */
  subject: bigint
}

/** How the API names a scope: by one of these, or by none for all links. */
export interface ScopeQuery {
  tag?: string | undefined
  folder?: string | undefined
  domain?: string | undefined
}

export interface ScopeContext {
  db: DatabaseGateway
  domains: Domains
}

/** The key of a scope in `ScopeSum`, as a condition for `keyOf`. */
export const SCOPE_KEY = 'ownerId = ? AND kind = ? AND subject = ?'
export const keyOf = ({ ownerId, kind, subject }: Scope) => [ownerId, SCOPE_KINDS[kind], subject]

/** That key as columns. */
export interface ScopeKeyRow {
  ownerId: string
  kind: number
  subject: bigint
}

export function scopeOf({ ownerId, kind, subject }: ScopeKeyRow): Scope {
  const name = (Object.keys(SCOPE_KINDS) as Scope['kind'][]).find((one) => SCOPE_KINDS[one] === kind)
  if (name === undefined) throw new Error(`there is no scope of the kind ${kind}`)
  return { ownerId, kind: name, subject }
}

/** That key as text. */
export const textOfScope = (scope: Scope): string => keyOf(scope).join('/')
export function scopeOfText(text: string): Scope {
  const [ownerId = '', kind = '', subject = ''] = text.split('/')
  return scopeOf({ ownerId, kind: Number(kind), subject: BigInt(subject) })
}

/**
 * The links of an account that a query asks for. A label of another account is not found, like one that does not exist.
 * @throws TerseError 'validation_failed' for more than one of tag, folder and domain, 'not_found', 'unavailable'
 */
export async function findScope(ctx: ScopeContext, ownerId: string, { tag, folder, domain }: ScopeQuery): Promise<Scope> {
  const [first, second] = Object.entries({ tag, folder, domain }).filter(([, name]) => name !== undefined)
  if (second) throw invalidField(second[0], say('api.stats.oneScope'))
  if (!first) return { ownerId, kind: 'all', subject: 0n }
  if (domain !== undefined) {
    const known = ctx.domains.find(domain)
    if (!known) throw new TerseError('not_found', say('api.domain.none'))
    return { ownerId, kind: 'domain', subject: BigInt(known.id) }
  }
  const wanted = tag === undefined ? ({ kind: 'folder', name: folder ?? '' } as const) : ({ kind: 'tag', name: tag } as const)
  const id = (await findLabels(ctx, ownerId, [wanted])).id(wanted)
  if (id === undefined) throw new TerseError('not_found', say('api.label.none'))
  return { ownerId, kind: 'label', subject: id }
}
