import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Actor } from '@/lib/actor'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { sha256 } from '@/lib/tools/hash'

/**
 * The token that manages an anonymous link. Derived from the secret and the link's id, so that a request
 * repeated with its Idempotency-Key gets the same one, though only a hash is kept.
 */
export function manageToken(secret: string, id: bigint): string {
  return createHmac('sha256', secret).update(`manage:${id}`).digest('base64url')
}

/** What an actor wants with a link. */
export type Access = 'read' | 'write'

/** Who may be one that manages a link. */
export type Manager = Pick<Actor, 'ownerId'> & { manageToken?: string | null }

/** What decides who may manage a link. */
type Managed = { ownerId: string | null; manageTokenHash: Uint8Array | null }

/**
 * What a link must fulfil for this actor to know of it. Refuses those who may know of none before any is looked up.
 * @throws TerseError 'unauthorized' or 'forbidden'
 */
export function visibleTo(actor: Actor, access: Access): { OR?: { ownerId?: string; manageTokenHash?: Buffer<ArrayBuffer> }[] } {
  requireScope(actor, access)
  if (actor.account?.role === 'admin') return {}
  const { ownerId, manageToken: token } = actor
  if (ownerId === null && token === null) {
    throw new TerseError('unauthorized', say('api.auth.manageToken'))
  }
  return {
    OR: [...(ownerId === null ? [] : [{ ownerId }]), ...(token === null ? [] : [{ manageTokenHash: sha256(token) }])],
  }
}

/**
 * Refuses an actor who may not manage this link: its owner may, and the holder of its token. Admins may look at every
 * link; what they do to one goes by the endpoints of admins, which write it down.
 * @throws TerseError 'unauthorized' or 'forbidden'
 */
export function requireManager(actor: Actor, link: Managed, access: Access): void {
  requireScope(actor, access)
  const refusal = refusalOf(actor, link, access)
  if (refusal) throw refusal
}

/** The same as a question. */
export const canManage = (actor: Actor, link: Managed, access: Access) =>
  mayEver(actor, access) && refusalOf(actor, link, access) === null

const mayEver = (actor: Actor, access: Access) => access === 'read' || actor.scope === 'write'

function requireScope(actor: Actor, access: Access): void {
  if (!mayEver(actor, access)) throw new TerseError('forbidden', say('api.auth.readOnly'))
}

function refusalOf(actor: Actor, link: Managed, access: Access): TerseError | null {
  if (isManager(actor, link)) return null
  if (access === 'read' && actor.account?.role === 'admin') return null
  if (actor.manageToken === null) {
    return actor.account === null
      ? new TerseError('unauthorized', say('api.auth.manageToken'))
      : new TerseError('forbidden', say('api.link.other'))
  }
  return new TerseError('forbidden', say('api.link.wrongToken'))
}

/** Whether this is its owner, or holds its token. */
export function isManager({ ownerId, manageToken: token }: Manager, link: Managed): boolean {
  if (ownerId !== null && ownerId === link.ownerId) return true
  return token != null && link.manageTokenHash !== null && timingSafeEqual(sha256(token), link.manageTokenHash)
}
