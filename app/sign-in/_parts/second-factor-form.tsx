import { type MouseEvent, useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { useTranslations } from '#i18n'
import { CodeField } from '@/app/_ui/account/code-field'
import { NarrowPage, textLinkClass } from '@/app/_ui/account/narrow-page'
import { Button, buttonClass } from '@/app/_ui/base/button'
import { FailureMessage } from '@/app/_ui/base/failure'
import { Form } from '@/app/_ui/base/form'
import { verifyBackupCode, verifyTotp } from '@/app/_ui/data/auth-client'
import { useForm } from '@/app/_ui/data/use-form'
import { write } from '@/app/_ui/data/words'
import { ENDED } from '@/lib/forms/auth-words'
import { readCode } from '@/lib/forms/read'
import type { SentForm } from '@/lib/forms/sent'

interface Props {
  /** A backup code is asked for. */
  backup: boolean
  /** Where to go once signed in. */
  next: string
  sent: SentForm | null
  onDone: () => void
  onChange: (backup: boolean) => void
  onBack: () => void
}

/** The second step of signing in: a code of the authenticator app, or a backup code. */
export function SecondFactorForm({ backup, next, sent, onDone, onChange, onBack }: Props) {
  const t = useTranslations('account.code')
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  const form = useForm(async (data) => {
    const read = readCode(data, write)
    if (!read.ok) return read.failure
    const { code, trustDevice } = read.value
    const result = await (backup ? verifyBackupCode(code, trustDevice) : verifyTotp(code, trustDevice))
    if (!result.ok) return result.failure
    onDone()
    return null
  }, sent)
  const change = (event: MouseEvent) => {
    event.preventDefault()
    flushSync(() => {
      form.clear('code')
      onChange(!backup)
    })
    if (input.current) input.current.value = ''
    input.current?.focus()
  }
  const ended = form.errors[ENDED]
  if (ended) {
    return (
      <NarrowPage title={t('again')}>
        <FailureMessage>{ended}</FailureMessage>
        <a
          href={addressOf({ next })}
          onClick={(event) => {
            event.preventDefault()
            onBack()
          }}
          className={buttonClass('primary', 'mt-6')}
        >
          {t('again')}
        </a>
      </NarrowPage>
    )
  }
  return (
    <NarrowPage
      title={t('title')}
      intro={backup ? t('backup') : t('app')}
      footer={
        <p>
          <a
            href={addressOf({ next })}
            onClick={(event) => {
              event.preventDefault()
              onBack()
            }}
            className={`inline-flex min-h-11 items-center sm:min-h-8 ${textLinkClass}`}
          >
            {t('otherAccount')}
          </a>
        </p>
      }
    >
      <Form name="second-factor" ref={form.ref} onSubmit={form.onSubmit} aria-label={t('form')} className="space-y-4">
        {form.failure && <FailureMessage>{form.failure}</FailureMessage>}
        <CodeField {...form.field('code')} ref={input} backup={backup} />
        <label className="flex min-h-11 cursor-pointer items-center gap-3 text-sm sm:min-h-8">
          <input type="checkbox" name="trust" defaultChecked={form.typed.trust !== undefined} className="size-4 accent-accent" />
          {t('trust')}
        </label>
        <Button type="submit" look="primary" busy={form.pending} className="w-full">
          {form.pending ? t('submitting') : t('submit')}
        </Button>
        <a
          href={addressOf({ step: backup ? 'code' : 'backup', next })}
          onClick={change}
          className={`inline-flex min-h-11 items-center text-sm sm:min-h-8 ${textLinkClass}`}
        >
          {backup ? t('useApp') : t('useBackup')}
        </a>
      </Form>
    </NarrowPage>
  )
}

const addressOf = (query: Record<string, string>) => `/sign-in?${new URLSearchParams(query)}`
