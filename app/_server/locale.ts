import { cookies, headers } from 'next/headers'
import { cache } from 'react'
import type { Namespace } from '@/lib/i18n/catalogue'
import { LANGUAGE_COOKIE, type Locale, negotiate } from '@/lib/i18n/languages'
import { translator } from '@/lib/i18n/translate'

/** The language and locale of this page. */
export const pageLocale = cache(
  async (): Promise<Locale> =>
    negotiate((await headers()).get('accept-language') ?? '', (await cookies()).get(LANGUAGE_COOKIE)?.value),
)

const translators = cache(async <N extends Namespace>(namespace: N) => translator(await pageLocale(), namespace))

/** What says a namespace's messages, in async server components. Others use `useTranslations` of `#i18n`. */
export const getTranslations = <N extends Namespace>(namespace: N) =>
  translators(namespace) as Promise<ReturnType<typeof translator<N>>>
