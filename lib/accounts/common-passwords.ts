import { type Message, say } from '@/lib/i18n/message'
import { normalised } from '@/lib/tools/normalised'

/** What a password must not be: one that everybody tries first, or one that stands beside it. */

/** What is known of the account and the site. */
export interface Beside {
  email?: string | undefined
  name?: string | undefined
  handle?: string | null | undefined
  baseUrl: string
}

/** Below so many different characters a password is no better than its length. */
const FEWEST_CHARACTERS = 3

/** German ones, of which that list has few: words, and rows of their keyboard; digits at the end change nothing. */
const GERMAN = new Set(
  [
    'qwertz qwertzu qwertzui qwertzuio qwertzuiop qwertzuiopü asdfghjklö asdfghjklöä yxcvbn yxcvbnm yxcvbnm,.-',
    'passwort kennwort geheim hallo hallohallo hallowelt schatz schatzi schätzchen schatzimausi liebe ichliebedich liebling',
    'mausi hasi engel engelchen sternchen sonne sonnenschein prinzessin schnucki schnuffel blume blümchen sommer winter herbst',
    'frühling fußball fussball schalke dortmund borussia bayern werder berlin hamburg münchen deutschland willkommen',
    'familie freiheit freundschaft superman schmetterling erdbeere schokolade kaffee start anfang keineahnung scheisse scheiße',
  ].flatMap((line) => line.split(' ')),
)

/** Why a password is refused, in whatever letters it is written; null for one that may be used. */
export async function passwordTrouble(password: string, beside: Beside): Promise<Message | null> {
  const text = plain(password)
  if (new Set(text).size < FEWEST_CHARACTERS) return say('forms.password.common')
  const core = withoutTail(text)
  // First what is true of this account alone.
  for (const [words, refusal] of wordsBeside(beside)) {
    const guesses = words.map(plain).filter((word) => word.length >= 4)
    if (guesses.some((word) => text === word || core === word || (core.length >= 4 && core === withoutTail(word)))) return refusal
  }
  const { LEAKED } = await import('./leaked-passwords')
  return LEAKED.has(text) || GERMAN.has(text) || GERMAN.has(core) ? say('forms.password.common') : null
}

function wordsBeside({ email = '', name = '', handle, baseUrl }: Beside): [words: string[], refusal: Message][] {
  const { hostname, host, origin } = new URL(baseUrl)
  return [
    [[name, name.replace(/\s/g, ''), handle ?? ''], say('forms.password.name')],
    [[email, email.split('@')[0] ?? '', email.split('@')[1] ?? ''], say('forms.password.email')],
    [[hostname, host, origin, `${origin}/`, 'terse'], say('forms.password.site')],
  ]
}

const plain = (text: string) => normalised('NFKC', text).trim().toLowerCase()
/** `ada2024!` is `ada` for those who guess. A run is looked at from its beginning alone, and not again from each character. */
const withoutTail = (text: string) => text.replace(/(?<![\d\p{P}\p{S}])[\d\p{P}\p{S}]+$/u, '')
