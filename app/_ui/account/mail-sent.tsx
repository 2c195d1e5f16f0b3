'use client'

import { useEffect, useRef, useState } from 'react'
import { Button } from '@/app/_ui/base/button'
import { Notice } from '@/app/_ui/base/notice'
import { sendVerification } from '@/app/_ui/data/auth-client'
import { NarrowPage } from './narrow-page'

/** Says that an address is to be confirmed. @param email null where it was not typed, but found by the handle */
export function MailSent({ email }: { email: string | null }) {
  const title = useRef<HTMLHeadingElement>(null)
  const [again, setAgain] = useState<'no' | 'sending' | 'sent'>('no')
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => title.current?.focus(), [])
  const send = async (to: string) => {
    setAgain('sending')
    setProblem(null)
    const result = await sendVerification(to)
    setAgain(result.ok ? 'sent' : 'no')
    if (!result.ok) setProblem(result.failure.message)
  }
  return (
    <NarrowPage
      titleRef={title}
      title="Look into your mail"
      intro={
        <>
          A mail is on its way to {email === null ? 'the address of your account' : <strong className="text-fg">{email}</strong>}.
          Open its link within an hour: it confirms the address and signs you in.
        </>
      }
    >
      {problem && (
        <div className="mb-4">
          <Notice>{problem}</Notice>
        </div>
      )}
      {email !== null && (
        <Button disabled={again !== 'no'} onClick={() => void send(email)}>
          {again === 'no' ? 'Send it again' : again === 'sending' ? 'Sending…' : 'Sent once more'}
        </Button>
      )}
      <p role="status" className="sr-only">
        {again === 'sent' ? 'The mail was sent once more.' : ''}
      </p>
    </NarrowPage>
  )
}
