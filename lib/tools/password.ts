import { isForeignHash, verifyForeign } from './foreign-hash'
import { normalised } from './normalised'

/** argon2id with the parameters that OWASP's password storage guide recommends (19 MiB, 2 passes, 1 lane). */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await argon2()
  return hash(normalised('NFC', password), { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
}

/**
 * @param passwordHash of `hashPassword`, or one that `isUsableHash` took in
 * @param client whose turn it takes: hashes that others chose may be costly
 * @throws BusyError for such a one, when too many wait already
 */
export async function verifyPassword(passwordHash: string, password: string, client = ''): Promise<boolean> {
  if (!isOwnHash(passwordHash) && isForeignHash(passwordHash)) return verifyForeign(passwordHash, password, client)
  const { verify } = await argon2()
  return verify(passwordHash, normalised('NFC', password))
}

/** Whether a text is a hash as `hashPassword` makes it. */
export const isOwnHash = (text: string) => /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/.test(text)

/** Whether passwords can be verified by a hash, and at a bounded cost: others could ask for any amount of memory, and time. */
export const isUsableHash = (text: string) => isOwnHash(text) || isForeignHash(text)

/** Loaded with the first password: a process that only redirects may never see one. */
const argon2 = () => import('@node-rs/argon2')
