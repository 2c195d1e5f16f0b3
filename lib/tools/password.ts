import { hash, verify } from '@node-rs/argon2'
import { normalised } from './normalised'

/** argon2id with the parameters that OWASP's password storage guide recommends (19 MiB, 2 passes, 1 lane). */
export function hashPassword(password: string): Promise<string> {
  return hash(normalised('NFC', password), { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
}

export function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, normalised('NFC', password))
}
