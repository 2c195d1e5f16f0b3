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

let known: Promise<ReadonlySet<string>> | undefined

/** The 49,000 that leaked most often. Loaded with the first password that is set: some processes never see one. */
async function leaked(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const list: unknown = dictionary['passwords-common']
  if (!Array.isArray(list) || list.length < 10_000) throw new Error('the list of common passwords is not where it was')
  return new Set(list.map(String))
}

/** Whether a password is refused, in whatever letters it is written. */
export async function isCommonPassword(password: string, beside: Beside): Promise<boolean> {
  const text = plain(password)
  if (new Set(text).size < FEWEST_CHARACTERS) return true
  known ??= leaked()
  if ((await known).has(text)) return true
  const core = withoutTail(text)
  const words = wordsBeside(beside).filter((word) => word.length >= 4)
  return words.some((word) => text === word || core === word || (core.length >= 4 && core === withoutTail(word)))
}

function wordsBeside({ email = '', name = '', handle, baseUrl }: Beside): string[] {
  const { hostname, host, origin } = new URL(baseUrl)
  const words = [email, email.split('@')[0] ?? '', email.split('@')[1] ?? '', name, name.replace(/\s/g, ''), handle ?? '']
  return [...words, hostname, host, origin, `${origin}/`, 'terse'].map(plain)
}

const plain = (text: string) => text.normalize('NFKC').trim().toLowerCase()
/** `ada2024!` is `ada` for those who guess. */
const withoutTail = (text: string) => text.replace(/[\d\p{P}\p{S}]+$/u, '')
