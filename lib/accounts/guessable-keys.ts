import { setImmediate as breathe } from 'node:timers/promises'
import { sha256 } from '@/lib/tools/hash'

/** What stands for a key in examples, and what a client without one sends. */
const STAND_INS = ['null', 'undefined', 'none', 'nil', 'false', 'api_key', 'apikey', 'api-key', 'your_api_key', 'your-api-key']
const MORE = [
  'yourapikey',
  'your_token',
  'your-token',
  'access_token',
  '<api_key>',
  '<token>',
  '{api_key}',
  'changeme',
  'xxxxxxxx',
]
/** Texts of so many characters are all tried. */
const SHORTEST = 2
const ASCII = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i))
/** Hashed before other work has a turn: some ms. */
const AT_ONCE = 2_000

/**
 * Whether a key is one that others send by mistake or think of first: none, a stand-in, a common password. Whoever had the
 * hash of such a text as a key would get the links of all who send it. Takes some 0.1 s, and others have their turn meanwhile.
 * @param hash its SHA-256
 */
export async function isGuessableKey(hash: Buffer): Promise<boolean> {
  const { LEAKED } = await import('./leaked-passwords')
  let count = 0
  for (const text of guesses(LEAKED)) {
    if (sha256(text).equals(hash) || sha256(text.toUpperCase()).equals(hash)) return true
    if (++count % AT_ONCE === 0) await breathe()
  }
  return false
}

function* guesses(leaked: Iterable<string>): Generator<string> {
  let longest = ['']
  yield ''
  for (let length = 1; length <= SHORTEST; length++) {
    longest = longest.flatMap((text) => ASCII.map((character) => text + character))
    yield* longest
  }
  yield* STAND_INS
  yield* MORE
  yield* leaked
}
