import { use } from 'react'
import type { Namespace } from '@/lib/i18n/catalogue'
import { getTranslations, pageLocale } from './locale'

/** `#i18n` for server components, with the same names as app/_ui/i18n/hooks.ts, which is for the browser. */
export const useTranslations = <N extends Namespace>(namespace: N) => use(getTranslations(namespace))

export const useLocale = (): string => use(pageLocale()).locale
