import type {} from 'use-intl'
import * as de from '@/messages/de'
import * as en from '@/messages/en'
import * as es from '@/messages/es'
import * as fr from '@/messages/fr'
import * as zh from '@/messages/zh'
import { compileMessages } from './compile'
import type { Language } from './languages'

/** All that Terse says, by namespace: a file of messages/en each. English is the measure of the other languages. */
export type Messages = typeof en
export type Namespace = keyof Messages

/** For servers only: a page is sent the namespaces that its scripts use, in its own language. */
export const CATALOGUE: Record<Language, Messages> = { en, de, es, fr, zh }

/** Each language's messages as they are said. A namespace is parsed when it is first spoken: a start speaks few. */
const COMPILED = Object.fromEntries(
  Object.entries(CATALOGUE).map(([language, messages]) => [language, compiledOnUse(messages)]),
) as Record<Language, Messages>

export const compiledMessages = (language: Language): Messages => COMPILED[language]

declare module 'use-intl' {
  interface AppConfig {
    Messages: Messages
  }
}

function compiledOnUse(messages: Messages): object {
  const compiled: object = {}
  for (const [namespace, tree] of Object.entries(messages)) {
    let made: object | undefined
    const get = () => {
      made ??= compileMessages(tree)
      return made
    }
    Object.defineProperty(compiled, namespace, { get, enumerable: true })
  }
  return compiled
}
