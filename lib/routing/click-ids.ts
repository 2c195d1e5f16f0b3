import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { keyedHash } from '@/lib/tools/hash'
import { DAY } from '@/lib/tools/time'

/**
 * Click IDs: what a destination is told of a click, so that it can report what came of it. One names the link, the time and the
 * destination, and is signed, so nothing has to be stored, or looked up in Redis, for it to be made or to be believed. It tells
 * nothing of the visitor.
 */

/** How long conversions are taken for a click, in days. */
export const WINDOW_DAYS = 90
/** Clocks of processes differ. */
const SKEW = 60_000

const VERSION = 1
const [LINK, TIME, DESTINATION, NONCE] = [1, 9, 15, 21]
const SIGNED = 27
/** Of HMAC-SHA-256, cut as RFC 2104 allows: 96 bits, which can only be tried out here. */
const MAC = 12
const TEXT = /^[A-Za-z0-9_-]{52}$/

/** Bytes that stand for a destination: of its hash, or zero for the only one of a link. */
export const DESTINATION_BYTES = 6
export const NO_DESTINATION = Buffer.alloc(DESTINATION_BYTES)

/** What a click ID says. */
export interface NamedClick {
  linkId: bigint
  /** ms since 1970, UTC. */
  at: number
  destination: Buffer<ArrayBuffer>
  /** No other click has these 12 bytes. */
  key: Buffer<ArrayBuffer>
}

/** @param name what statistics call it (lib/routing/destination-name.ts); '' for the only one of a link */
export function destinationHash(name: string): Buffer<ArrayBuffer> {
  if (name === '') return NO_DESTINATION
  return Buffer.from(createHash('sha256').update(name).digest().subarray(0, DESTINATION_BYTES))
}

/** Makes and reads click IDs. */
export class ClickIds {
  private readonly key: Buffer

  /** @param secret APP_SECRET */
  constructor(secret: string) {
    this.key = keyedHash(secret, 'click IDs')
  }

  /** A new one. @param at ms since 1970 @param name of the destination */
  make(linkId: string, at: number, name: string): string {
    const bytes = Buffer.alloc(SIGNED + MAC)
    bytes[0] = VERSION
    bytes.writeBigUInt64BE(BigInt(linkId), LINK)
    bytes.writeUIntBE(at, TIME, DESTINATION - TIME)
    destinationHash(name).copy(bytes, DESTINATION)
    randomBytes(SIGNED - NONCE).copy(bytes, NONCE)
    this.sign(bytes).copy(bytes, SIGNED)
    return bytes.toString('base64url')
  }

  /** @returns 'forged' for what this deployment never made @param now ms since 1970 */
  read(text: string, now: number): NamedClick | 'forged' | 'expired' {
    if (!TEXT.test(text)) return 'forged'
    const bytes = Buffer.from(text, 'base64url')
    const key = bytes.subarray(SIGNED)
    if (!timingSafeEqual(key, this.sign(bytes)) || bytes[0] !== VERSION) return 'forged'
    const at = bytes.readUIntBE(TIME, DESTINATION - TIME)
    if (at > now + SKEW) return 'forged'
    if (at < now - WINDOW_DAYS * DAY) return 'expired'
    const destination = Buffer.from(bytes.subarray(DESTINATION, NONCE))
    return { linkId: bytes.readBigUInt64BE(LINK), at, destination, key: Buffer.from(key) }
  }

  private sign(bytes: Buffer): Buffer {
    return createHmac('sha256', this.key).update(bytes.subarray(0, SIGNED)).digest().subarray(0, MAC)
  }
}
