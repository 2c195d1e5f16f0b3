import { createTranslator } from 'use-intl/core'
import type { Messages } from '@/lib/i18n/catalogue'
import { type Message, type Writer, writerBy } from '@/lib/i18n/message'

/** What is said of requests and of what was typed, outside of components. The page's own language: it has one at a time. */
let current: Writer = ({ key }) => key

export const write: Writer = (message: Message) => current(message)

/** Told by what gives a page its messages. */
export function speak(locale: string, messages: Messages): void {
  current = writerBy(createTranslator({ locale, messages, timeZone: 'UTC' }) as Parameters<typeof writerBy>[0])
}
