import { parseAccept } from 'hono/utils/accept'

/** The languages that Terse speaks, each by its own name. The keys are the folders of messages/. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', es: 'Español', fr: 'Français', zh: '简体中文' } as const

export type Language = keyof typeof LANGUAGES

export const DEFAULT_LANGUAGE: Language = 'en'

/** Name of the cookie that holds the language somebody chose in the page's footer. No secret. */
export const LANGUAGE_COOKIE = 'language'

export const isLanguage = (value: unknown): value is Language => typeof value === 'string' && Object.hasOwn(LANGUAGES, value)

/** A language to read in, and the locale that numbers and dates are written in: of the same language. */
export interface Locale {
  language: Language
  /** As `Intl` takes it: `de-AT`. */
  locale: string
}

/** Where the visitor's region is not known. English: day before month, the month in letters. */
const REGIONS: Record<Language, string> = { en: 'en-GB', de: 'de-DE', es: 'es-ES', fr: 'fr-FR', zh: 'zh-CN' }

/** As much of an Accept-Language header as is read, in characters: each tag that is none costs an exception of `Intl`. */
export const LONGEST_ACCEPTED = 200

/**
 * The language and locale to answer in.
 * @param accepted the Accept-Language header; '' for none
 * @param chosen what the visitor chose by hand, if anything
 */
export function negotiate(accepted: string, chosen?: string): Locale {
  const tags = accepted === '' ? [] : parseAccept(accepted.slice(0, LONGEST_ACCEPTED)).map(({ type }) => type)
  const language = isLanguage(chosen) ? chosen : (tags.map(languageOf).find(isLanguage) ?? DEFAULT_LANGUAGE)
  const regional = tags.find((tag) => languageOf(tag) === language && tag.includes('-') && isKnown(tag))
  return { language, locale: regional ?? REGIONS[language] }
}

/** The same by the headers of a request. @param headers null where there is no request */
export function localeOf(headers: Headers | null | undefined): Locale {
  const chosen = CHOSEN.exec(headers?.get('cookie') ?? '')?.[1]
  return negotiate(headers?.get('accept-language') ?? '', chosen)
}

const CHOSEN = new RegExp(`(?:^|;\\s*)${LANGUAGE_COOKIE}=([\\w-]+)`)

const languageOf = (tag: string): string => (tag.split('-', 1)[0] ?? '').toLowerCase()

/** Whether `Intl` can write in it. It throws for what is no tag at all. */
function isKnown(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0
  } catch {
    return false
  }
}
