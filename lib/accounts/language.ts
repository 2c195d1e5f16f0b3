import { isLanguage, type Locale, negotiate } from '@/lib/i18n/languages'

/**
 * What to write to an account in: its own language, for somebody else may have caused the mail.
 * @param asking of the request that caused it: for accounts whose language is not known, and for how its own writes dates
 */
export function localeFor({ language }: { id: string; language?: string | null }, asking: Locale): Locale {
  return isLanguage(language) && language !== asking.language ? negotiate('', language) : asking
}
