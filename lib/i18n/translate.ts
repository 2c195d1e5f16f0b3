import { createTranslator } from 'use-intl/core'
import { compiledMessages, type Namespace } from './catalogue'
import type { Locale } from './languages'
import { asText, fromText, type Message, type Writer, writerBy } from './message'

/** How messages write times: `{at, date, moment}`. In UTC, since nobody tells the server their zone. */
const DAY = { day: 'numeric', month: 'long', year: 'numeric' } as const
const FORMATS = { dateTime: { day: DAY, moment: { ...DAY, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } } } as const

const settings = ({ language, locale }: Locale) => ({
  locale,
  messages: compiledMessages(language),
  timeZone: 'UTC',
  formats: FORMATS,
  onError(error: Error) {
    if (process.env.NODE_ENV === 'test') throw error
    console.error(error)
  },
})

/**
 * What says the messages of one namespace: `t('key', { name })`. They are in ICU MessageFormat.
 * @throws in tests, for a message that is missing or is given too little; elsewhere that is logged, and the key is shown
 */
export function translator<N extends Namespace>(locale: Locale, namespace: N) {
  return createTranslator({ ...settings(locale), namespace })
}

export type Translator<N extends Namespace> = ReturnType<typeof translator<N>>

/** What writes messages of any namespace. */
export const writer = (locale: Locale): Writer => writerBy(createTranslator(settings(locale)) as Parameters<typeof writerBy>[0])

const ENGLISH = writer({ language: 'en', locale: 'en-GB' })

/** For logs, and wherever nobody's language is known. */
export const inEnglish = (message: Message): string => ENGLISH(message)

/** A message for a column of so many characters, for `written`: in English where it is too long to be kept as it is. */
export function textWithin(message: Message, most: number): string {
  const text = asText(message)
  return text.length <= most ? text : inEnglish(message).slice(0, most)
}

/** What `textWithin` kept, as it is read. */
export function written(text: string, write: Writer): string {
  const message = fromText(text)
  return message ? write(message) : text
}
