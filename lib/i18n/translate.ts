import { createTranslator } from 'use-intl/core'
import { compiledMessages, type Namespace } from './catalogue'
import type { Locale } from './languages'

/**
 * What says the messages of one namespace: `t('key', { name })`. They are in ICU MessageFormat.
 * @throws in tests, for a message that is missing or is given too little; elsewhere that is logged, and the key is shown
 */
export function translator<N extends Namespace>({ language, locale }: Locale, namespace: N) {
  return createTranslator({
    locale,
    messages: compiledMessages(language),
    namespace,
    timeZone: 'UTC',
    onError(error) {
      if (process.env.NODE_ENV === 'test') throw error
      console.error(error)
    },
  })
}

export type Translator<N extends Namespace> = ReturnType<typeof translator<N>>
