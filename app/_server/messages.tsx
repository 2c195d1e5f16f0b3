import type { ReactNode } from 'react'
import { MessagesProvider } from '@/app/_ui/i18n/messages'
import { compiledMessages, type Messages, type Namespace } from '@/lib/i18n/catalogue'
import { pageLocale } from './locale'

/** Gives the client components within the messages of these namespaces. lib/i18n/messages.test.ts holds that none is missing. */
export async function ProvideMessages({ of, children }: { of: readonly Namespace[]; children: ReactNode }) {
  const { language, locale } = await pageLocale()
  const all = compiledMessages(language)
  const messages: Partial<Messages> = Object.fromEntries(of.map((name) => [name, all[name]]))
  return (
    <MessagesProvider locale={locale} messages={messages}>
      {children}
    </MessagesProvider>
  )
}
