import { Turns } from './turns'

/**
 * Password hashes that other systems made, as an import brings them: bcrypt (`$2a$`, `$2b$`, `$2y$`) and argon2 in all its
 * variants. What verifying one may cost is bounded, since whoever imports a link chooses the parameters of its hash.
 */

/** 2^14 rounds take about a second. What others use by default is 10 to 12. */
const MOST_BCRYPT_COST = 14
/** In KiB: 128 MiB. Defaults of others are 19 to 100 MiB. */
const MOST_ARGON2_MEMORY = 131_072
/** Memory times passes, in KiB: some 0.5 s. */
const MOST_ARGON2_WORK = 524_288
const MOST_ARGON2_LANES = 16

const BCRYPT = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/
const ARGON2 =
  /^\$argon2(?:i|d|id)\$v=(?:16|19)\$m=(\d{1,7}),t=(\d{1,4}),p=(\d{1,3})\$[A-Za-z0-9+/]{11,64}\$[A-Za-z0-9+/]{16,86}$/

/** Whether a text is a hash that can be verified here, at a bounded cost. */
export function isForeignHash(text: string): boolean {
  const bcrypt = BCRYPT.exec(text)
  if (bcrypt) return Number(bcrypt[1]) >= 4 && Number(bcrypt[1]) <= MOST_BCRYPT_COST
  const [, memory, passes, lanes] = (ARGON2.exec(text) ?? []).map(Number)
  if (memory === undefined || passes === undefined || lanes === undefined) return false
  if (lanes < 1 || lanes > MOST_ARGON2_LANES || passes < 1 || memory < 8 * lanes) return false
  return memory <= MOST_ARGON2_MEMORY && memory * passes <= MOST_ARGON2_WORK
}

/**
 * One at a time in a process: between them they never take more than one hash's memory. Clients are served in turn; with the
 * costliest hashes, who comes last waits some twenty seconds.
 */
const turns = new Turns({ atOnce: 1, mayWait: 20, mayWaitEach: 4 })

/**
 * Whether a password is the one of such a hash. It is compared as it was typed: others do not compose its letters.
 * @param client whose turn it takes
 * @returns false also for a hash that cannot be read after all
 * @throws BusyError when too many wait already, of this client or of all
 */
export function verifyForeign(hash: string, password: string, client: string): Promise<boolean> {
  return turns.run(client, async () => {
    const verify = await verifierOf(hash)
    return verify(password).catch(() => false)
  })
}

/** Loaded with the first such hash: most processes never meet one. */
async function verifierOf(hash: string): Promise<(password: string) => Promise<boolean>> {
  if (BCRYPT.test(hash)) {
    const { verify } = await import('@node-rs/bcrypt')
    return (password) => verify(password, hash)
  }
  const { verify } = await import('@node-rs/argon2')
  return (password) => verify(hash, password)
}
