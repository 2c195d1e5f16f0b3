import type { MessageKeys, NestedKeyOf } from 'use-intl/core'
import type { Messages } from './catalogue'

/** The whole key of a message: `forms.code.taken`. */
export type MessageKey = MessageKeys<Messages, NestedKeyOf<Messages>>

/** What a message is filled with. A message within another is written in the same language; a time is ms since 1970. */
export type MessageValues = Readonly<Record<string, string | number | Message>>

/** Something to say, in no language yet. Plain data: it is kept and sent as JSON. */
export interface Message {
  readonly key: MessageKey
  readonly values?: MessageValues
}

/** @param key checked by the compiler; lib/i18n/messages.test.ts finds it by this very name */
export const say = (key: MessageKey, values?: MessageValues): Message => (values === undefined ? { key } : { key, values })

export const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && typeof (value as { key?: unknown }).key === 'string'

/** A message where only text can be kept: in a column, or an issue of zod. */
export const asText = (message: Message): string => JSON.stringify(message)

/** The message that a text was made of by `asText`; null for any other text. */
export function fromText(text: string): Message | null {
  if (!text.startsWith('{"key":')) return null
  try {
    const value: unknown = JSON.parse(text)
    return isMessage(value) ? value : null
  } catch {
    return null
  }
}

/** Writes a message. */
export type Writer = (message: Message) => string

/** @param t takes whole keys */
export function writerBy(t: (key: MessageKey, values?: Record<string, string | number>) => string): Writer {
  const write: Writer = ({ key, values }) =>
    values === undefined
      ? t(key)
      : t(key, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isMessage(value) ? write(value) : value])))
  return write
}
