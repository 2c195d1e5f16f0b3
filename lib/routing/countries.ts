import { normalised } from '@/lib/tools/normalised'

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
/** Codes with a name that stand for no country: alliances, the unknown, and what is set aside for private use. */
const NONE = /^(EU|EZ|UN|Q[M-Z]|X[A-JL-Z]|ZZ)$/
/** The language of codes and of the API, whose names are understood everywhere. */
const ENGLISH = 'en'

/** Names of countries in a language, and the codes of ISO 3166-1 that they stand for. */
export class Countries {
  private readonly names: Intl.DisplayNames
  private readonly codes = new Map<string, string>()
  /** In the order of the language. */
  readonly all: readonly string[]

  constructor(locale: string) {
    this.names = new Intl.DisplayNames(locale, { type: 'region' })
    const english = new Intl.DisplayNames(ENGLISH, { type: 'region' })
    const codes = LETTERS.flatMap((a) => LETTERS.map((b) => a + b)).filter((code) => isCountry(code, english))
    for (const names of [english, this.names]) for (const code of codes) this.codes.set(keyOf(names.of(code) ?? code), code)
    this.all = codes.map((code) => this.nameOf(code)).sort(new Intl.Collator(locale).compare)
  }

  /** What was typed as a code: a name, in this language or in English, or a code. What is neither stays as it is. */
  codeOf(typed: string): string {
    return this.codes.get(keyOf(typed)) ?? (/^[a-z]{2}$/i.test(typed) ? typed.toUpperCase() : typed)
  }

  /** The name of a code; of what is none, itself. */
  nameOf(code: string): string {
    const name = /^[A-Z]{2}$/.test(code) ? (this.names.of(code) ?? code) : code
    // Lists have commas between names.
    return name.includes(',') ? code : name
  }
}

const keyOf = (name: string) => normalised('NFKC', name).toLowerCase()

/** Whether a code has a name, and is not one that was given up for another: DD is Germany too. */
const isCountry = (code: string, names: Intl.DisplayNames) =>
  !NONE.test(code) && names.of(code) !== code && new Intl.Locale('und', { region: code }).region === code
