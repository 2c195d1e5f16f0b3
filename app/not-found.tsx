import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { Message } from '@/app/_ui/base/message'

export const metadata: Metadata = { title: 'Not found' }

/** @param action where to go from here, but for the front page */
export default function NotFound({ action }: { action?: ReactNode }) {
  return (
    <Message title="There is nothing here" action={action}>
      The page may have moved, or the address has a typo.
    </Message>
  )
}
