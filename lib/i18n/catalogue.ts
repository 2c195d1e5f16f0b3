import type {} from 'use-intl'
import en from '@/messages/en'
import type { Language } from './languages'

/** All that Terse says, by namespace: a file of messages/en each. English is the measure of the other languages. */
export type Messages = typeof en
export type Namespace = keyof Messages

/** For servers only: a page is sent the namespaces that its scripts use, in its own language. */
export const CATALOGUE: Record<Language, Messages> = { en }

declare module 'use-intl' {
  interface AppConfig {
    Messages: Messages
  }
}
