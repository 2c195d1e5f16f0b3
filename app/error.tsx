'use client'

import { Button } from '@/app/_ui/base/button'
import { Message } from '@/app/_ui/base/message'

export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <Message
      title="This page could not be shown"
      action={
        <Button look="primary" onClick={reset}>
          Try again
        </Button>
      }
    >
      Something went wrong on our side; your links are not affected. Try again, and if it stays like this tell the operator of
      this site{error.digest ? `, with the reference ${error.digest}` : ''}.
    </Message>
  )
}
