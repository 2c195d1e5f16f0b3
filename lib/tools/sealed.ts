import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const [NONCE, TAG] = [12, 16]

const keyOf = (secret: string, use: string) => Buffer.from(hkdfSync('sha256', secret, '', use, 32))

/** A text that only who has the secret can read, and nobody can change unseen: AES-256-GCM. @param use what it is for */
export function seal(secret: string, use: string, text: string): Buffer<ArrayBuffer> {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret, use), nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** What `seal` was given. @throws Error for anything else, or by another secret */
export function unseal(secret: string, use: string, sealed: Uint8Array): string {
  const bytes = Buffer.from(sealed)
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret, use), bytes.subarray(0, NONCE), { authTagLength: TAG })
  decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG))
  return Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]).toString('utf8')
}
