import { useLocale } from '#i18n'
import { Format } from '@/lib/i18n/format'

/** Browsers name them, so a server keeps only so many. */
const MOST_LOCALES = 50
const formats = new Map<string, Format>()

/**
 * Numbers, times and names as the locale of this page writes them. A server does not know the reader's zone: see
 * base/local-time.tsx.
 */
export function useFormat(): Format {
  const locale = useLocale()
  let format = formats.get(locale)
  if (!format) {
    if (formats.size >= MOST_LOCALES) formats.clear()
    format = new Format(locale)
    formats.set(locale, format)
  }
  return format
}
