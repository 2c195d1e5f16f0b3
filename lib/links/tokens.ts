import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { TerseError } from '@/lib/errors'
import type { Actor } from './context'

export function sha256(text: string): Buffer<ArrayBuffer> {
  return Buffer.from(createHash('sha256').update(text).digest())
}

/** A hash that cannot be tried out without the secret: for what may hold a password. */
export function keyedHash(secret: string, text: string): Buffer<ArrayBuffer> {
  return Buffer.from(createHmac('sha256', secret).update(text).digest())
}

/**
 * The token that manages an anonymous link. Derived from the secret and the link's id, so that a request
 * repeated with its Idempotency-Key gets the same one, though only a hash is kept.
 */
export function manageToken(secret: string, id: bigint): string {
  return createHmac('sha256', secret).update(`manage:${id}`).digest('base64url')
}

/** Refuses an actor who may not manage this link: its owner, an admin, or whoever has its token. @throws TerseError 'unauthorized' or 'forbidden' */
export function requireManager(actor: Actor, link: { ownerId: string | null; manageTokenHash: Uint8Array | null }): void {
  if (actor.ownerId !== null && (actor.ownerId === link.ownerId || actor.account?.role === 'admin')) return
  if (actor.manageToken === null) {
    if (actor.account !== null) throw new TerseError('forbidden', 'This link belongs to someone else.')
    throw new TerseError('unauthorized', 'Send the manage token of this link as “Authorization: Bearer <token>”.')
  }
  if (link.manageTokenHash === null || !timingSafeEqual(sha256(actor.manageToken), link.manageTokenHash)) {
    throw new TerseError('forbidden', 'This token does not manage this link.')
  }
}
