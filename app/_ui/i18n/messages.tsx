'use client'

import { createContext, type ReactNode, useContext, useInsertionEffect, useMemo } from 'react'
import { IntlProvider } from 'use-intl/react'
import { speak } from '@/app/_ui/data/words'
import type { Messages } from '@/lib/i18n/catalogue'

interface Props {
  locale: string
  messages: Partial<Messages>
  children: ReactNode
}

const Provided = createContext<Partial<Messages>>({})

/** Messages for the client components within, besides those that are provided around it. */
export function MessagesProvider({ locale, messages, children }: Props) {
  const around = useContext(Provided)
  const all = useMemo(() => ({ ...around, ...messages }), [around, messages])
  useInsertionEffect(() => {
    if (messages.forms) speak(locale, messages as Messages)
  }, [locale, messages])
  return (
    <Provided value={all}>
      <IntlProvider locale={locale} messages={all as Messages} timeZone="UTC">
        {children}
      </IntlProvider>
    </Provided>
  )
}
