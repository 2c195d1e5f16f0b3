import { createHash, createHmac } from 'node:crypto'

export function sha256(text: string): Buffer<ArrayBuffer> {
  return Buffer.from(createHash('sha256').update(text).digest())
}

/** A hash that cannot be tried out without the secret: for what may hold a password. */
export function keyedHash(secret: string, text: string): Buffer<ArrayBuffer> {
  return Buffer.from(createHmac('sha256', secret).update(text).digest())
}
