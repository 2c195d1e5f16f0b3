import type { Metadata } from 'next'
import { Message } from '@/app/_ui/base/message'

export const metadata: Metadata = { title: 'Not found' }

export default function NotFound() {
  return (
    <Message title="There is nothing here">
      The address may be mistyped, or the page has moved. Short links tell capital from small letters.
    </Message>
  )
}
