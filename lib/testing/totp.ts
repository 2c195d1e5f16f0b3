import { createHmac } from 'node:crypto'

const STEP_MS = 30_000

/**
 * The code that an authenticator app shows (RFC 6238).
 * @param uri what the app reads, with the secret in it
 * @param later how many steps of 30 seconds after now; the server takes one step earlier and later too
 */
export function totp(uri: string, later = 0): string {
  const secret = new URL(uri).searchParams.get('secret') ?? ''
  const bits = [...secret].map((c) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(c).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / STEP_MS) + later))
  const hash = createHmac('sha1', key).update(counter).digest()
  const offset = (hash.at(-1) ?? 0) & 15
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}
