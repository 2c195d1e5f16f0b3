'use client'

import { KeyRound } from 'lucide-react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { isTokenShaped, keepTabToken } from '@/app/_ui/data/access'
import { getLink } from '@/app/_ui/data/api'
import { rememberLink } from '@/app/_ui/data/recents'
import { useForm } from '@/app/_ui/data/use-form'
import { invalid } from '@/lib/forms/failure'
import { textOf } from '@/lib/forms/fields'

interface Props {
  code: string
  domain: string
  /** The key that was known here no longer opens the link. */
  refused: boolean
}

/** Asks for the link's key. Only who holds it may see who came. */
export function TokenForm({ code, domain, refused }: Props) {
  const t = useTranslations('stats')
  const form = useForm(async (data) => {
    const token = textOf(data, 'token').trim()
    if (token === '') return invalid({ token: t('token.missing') })
    if (!isTokenShaped(token)) return invalid({ token: t('token.malformed') })
    const result = await getLink({ code, domain, manageToken: token })
    if (!result.ok) {
      const { kind, message } = result.failure
      return invalid({ token: kind === 'refused' ? t('token.wrong') : message })
    }
    const keep = data.has('keep')
    if (keep) rememberLink({ ...result.value, manageToken: token })
    keepTabToken({ code, domain }, keep ? null : token)
    return null
  })
  return (
    <section aria-labelledby="key-title" className="mx-auto mt-10 max-w-lg rounded-card border border-line bg-surface p-5 sm:p-7">
      <h2 id="key-title" className="flex items-center gap-2.5 text-lg font-semibold">
        <KeyRound aria-hidden="true" className="size-5 shrink-0 text-muted" />
        {t(refused ? 'token.refusedTitle' : 'token.title')}
      </h2>
      <p className="mt-2 text-sm text-muted">{t('token.text')}</p>
      <Form name={null} ref={form.ref} onSubmit={form.onSubmit} className="mt-5">
        <TextField
          label={t('token.label')}
          {...form.field('token')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <label className="mt-3 flex min-h-11 items-center gap-3 text-sm sm:min-h-0">
          <input type="checkbox" name="keep" defaultChecked className="size-4 accent-accent" />
          {t('token.keep')}
        </label>
        <Button type="submit" look="primary" className="mt-5 w-full sm:w-auto" busy={form.pending}>
          {t('token.submit')}
        </Button>
      </Form>
    </section>
  )
}
