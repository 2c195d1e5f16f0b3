import { createHmac, randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import murmurhash from 'murmurhash'
import { ALPHABET, ONE_CASE } from './base62'
import { CodeCipher } from './cipher'
import { isApiWord, isReservedPath, isSpokenCode } from './reserved'
import { isRude } from './rude'

/** How many accounts' keys are kept. Deriving them costs about as much as one code. */
const KEPT = 1_000

/** What the codes of one account are made with. Unknown to anyone without the deployment's secret. */
export class CodeKeys {
  /** Of the two murmur hashes, 32 bits each. */
  private readonly seeds: readonly [number, number]
  private readonly key: Buffer
  private readonly ciphers = new Map<string, CodeCipher>()

  /** @param ownerId '' or null for codes made without an account */
  constructor(secret: string, ownerId: string | null) {
    // The second generation of codes: nothing that the first one's codes gave away is used again.
    const digest = createHmac('sha512', secret)
      .update(`codes 2:${ownerId ?? ''}`)
      .digest()
    this.key = digest.subarray(0, 32)
    this.seeds = [digest.readUInt32BE(32), digest.readUInt32BE(36)]
  }

  /**
   * The code of a text: MurmurHash3 (A. Appleby, x86 32-bit) under both seeds, permuted (see CodeCipher), in base62,
   * or in base 36 where capitals make no difference. The same every time; two texts with the same hashes have the same.
   */
  codeOf(text: string, length: number, alphabet = ALPHABET): string {
    const name = `${length} of ${alphabet.length}`
    let cipher = this.ciphers.get(name)
    if (!cipher) {
      cipher = new CodeCipher(this.key, length, alphabet)
      this.ciphers.set(name, cipher)
    }
    return cipher.encipher(murmurhash.v3(text, this.seeds[0]), murmurhash.v3(text, this.seeds[1]))
  }
}

/** Generates the codes of a deployment. */
export class CodeGenerator {
  private readonly keys: LRUCache<string, CodeKeys>

  constructor(
    secret: string,
    private readonly length: number,
  ) {
    this.keys = new LRUCache({ max: KEPT, memoMethod: (ownerId) => new CodeKeys(secret, ownerId) })
  }

  /**
   * As the function below, with the keys of an account, or null's.
   * @param isFolded capitals make no difference on the domain: then codes have none, and are as many
   */
  candidates(url: string, ownerId: string | null, isFolded = false): Generator<string, void> {
    const keys = this.keys.memo(ownerId ?? '')
    return isFolded ? candidates(url, keys, foldedLength(this.length), ONE_CASE) : candidates(url, keys, this.length)
  }
}

/** The longest code that a cipher takes. 36^10 are 3.7e15 codes. */
const LONGEST = 10

/** How long codes of 36 characters are, so that there are as many as of `length` characters of 62, up to 36^10. */
export const foldedLength = (length: number): number =>
  Math.min(LONGEST, Math.ceil((length * Math.log(ALPHABET.length)) / Math.log(ONE_CASE.length)))

/** Whether a generated code must be skipped: a word of the application's own, a spoken code, or a rude one. */
function isUnfit(code: string): boolean {
  return isSpokenCode(code) || isReservedPath(code) || isApiWord(code) || isRude(code)
}

/** How often another candidate is tried before giving up. */
export const MAX_ATTEMPTS = 8

/**
 * Candidates for the code of `url`, at most MAX_ATTEMPTS fit ones. The first is the same every time for one account and
 * URL; later ones have a random UUID appended to what is hashed.
 */
export function* candidates(url: string, keys: CodeKeys, length: number, alphabet = ALPHABET): Generator<string, void> {
  let text = url
  for (let given = 0, tried = 0; given < MAX_ATTEMPTS && tried < MAX_ATTEMPTS * 4; tried++) {
    const code = keys.codeOf(text, length, alphabet)
    if (!isUnfit(code)) {
      given += 1
      yield code
    }
    text = url + randomUUID()
  }
}
