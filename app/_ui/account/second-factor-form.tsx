import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '@/app/_ui/base/button'
import { Notice } from '@/app/_ui/base/notice'
import { verifyBackupCode, verifyTotp } from '@/app/_ui/data/auth-client'
import { textOf } from '@/app/_ui/data/form'
import { useForm, wrong } from '@/app/_ui/data/use-form'
import { CodeField } from './code-field'
import { NarrowPage, textLinkClass } from './narrow-page'

interface Props {
  onDone: () => void
  onBack: () => void
}

/** The second step of signing in: a code of the authenticator app, or a backup code. */
export function SecondFactorForm({ onDone, onBack }: Props) {
  const [backup, setBackup] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  const form = useForm(async (data) => {
    const code = textOf(data, 'code').replace(/\s/g, '')
    if (code === '') return wrong({ code: 'Enter a code.' })
    const trust = data.has('trust')
    const result = await (backup ? verifyBackupCode(code, trust) : verifyTotp(code, trust))
    if (!result.ok) return result.failure
    onDone()
    return null
  })
  const change = () => {
    flushSync(() => {
      form.clear('code')
      setBackup(!backup)
    })
    if (input.current) input.current.value = ''
    input.current?.focus()
  }
  return (
    <NarrowPage
      title="One more step"
      intro={
        backup
          ? 'Enter one of the backup codes that you kept. Each works once.'
          : 'Enter the code that your authenticator app shows for Terse.'
      }
      footer={
        <p>
          <button type="button" onClick={onBack} className={`min-h-11 sm:min-h-8 ${textLinkClass}`}>
            Sign in as someone else
          </button>
        </p>
      }
    >
      <form ref={form.ref} onSubmit={form.onSubmit} noValidate aria-label="Second step" className="space-y-4">
        {form.problem && <Notice>{form.problem}</Notice>}
        <CodeField ref={input} backup={backup} error={form.errors.code} onChange={() => form.clear('code')} />
        <label className="flex min-h-11 cursor-pointer items-center gap-3 text-sm sm:min-h-8">
          <input type="checkbox" name="trust" className="size-4 accent-accent" />
          Trust this device: do not ask here for 30 days
        </label>
        <Button type="submit" look="primary" disabled={form.pending} className="w-full">
          {form.pending ? 'Checking…' : 'Continue'}
        </Button>
        <button type="button" onClick={change} className={`min-h-11 text-sm sm:min-h-8 ${textLinkClass}`}>
          {backup ? 'Use the authenticator app' : 'Use a backup code'}
        </button>
      </form>
    </NarrowPage>
  )
}
