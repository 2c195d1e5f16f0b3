'use client'

import { type FocusEvent, useEffect } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { FailureMessage } from '@/app/_ui/base/failure'
import { addressInput, TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { SwitchField } from '@/app/_ui/base/switch-field'
import { toast } from '@/app/_ui/base/toast'
import { updateLink } from '@/app/_ui/data/api'
import { copyText } from '@/app/_ui/data/browser'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { toLocalInput } from '@/app/_ui/data/time'
import { useForm } from '@/app/_ui/data/use-form'
import { completeAddress } from '@/lib/forms/fields'
import { isFixed } from '@/lib/links/fixed'
import type { LinkView } from '@/lib/links/schemas'
import { EditPassword } from './edit-password'
import { changesOf } from './link-changes'
import { RedirectStatusField } from './redirect-status-field'

interface Props {
  view: LinkView
  /** The link's manage token; null where the session of its owner opens it. */
  token: string | null
  onSaved: (view: LinkView) => void
  onClose: () => void
}

export function EditForm({ view, token, onSaved, onClose }: Props) {
  const t = useTranslations('links')
  const base = useTranslations('base')
  const form = useForm(async (data) => {
    const changes = changesOf(data, view, token === null)
    if (Object.keys(changes).length === 0) {
      onClose()
      return null
    }
    const result = await updateLink({ code: view.code, domain: view.domain, manageToken: token }, changes)
    if (!result.ok) return result.failure
    toast(t('edit.saved', { link: readableUrl(view.shortUrl) }))
    onSaved(result.value)
    return null
  })
  const { ref, failure, pending } = form
  useEffect(() => ref.current?.querySelector<HTMLElement>('input:enabled:not([readonly])')?.focus({ preventScroll: true }), [ref])
  /** What is the same for both addresses. */
  const address = {
    ...addressInput,
    onBlur: ({ currentTarget }: FocusEvent<HTMLInputElement>) => {
      currentTarget.value = completeAddress(currentTarget.value)
    },
  }
  return (
    <Form name={null} ref={ref} onSubmit={form.onSubmit} aria-label={t('edit.form')} className="space-y-5">
      {view.shared && <p className="text-sm text-muted">{t('edit.shared')}</p>}
      <TextField label={t('edit.url')} {...form.field('url', view.url)} {...address} readOnly={isFixed(view, 'url')} />
      <TextField
        label={t('edit.title')}
        {...form.field('title', view.title)}
        autoComplete="off"
        hint={t(token === null ? 'edit.titleHintOwned' : 'edit.titleHint')}
      />
      <fieldset disabled={view.shared} className="min-w-0 space-y-5">
        <legend className="sr-only">{t('edit.settings')}</legend>
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label={t('edit.starts')}
            {...form.field('startsAt', toLocalInput(view.startsAt))}
            type="datetime-local"
            hint={t('edit.startsHint')}
          />
          <TextField
            label={t('edit.expires')}
            {...form.field('expiresAt', toLocalInput(view.expiresAt))}
            type="datetime-local"
            readOnly={isFixed(view, 'expiresAt')}
            hint={t(view.kind === 'spoken' ? 'edit.expiresSpoken' : 'edit.expiresHint')}
          />
          <TextField
            label={t('edit.clickLimit')}
            {...form.field('maxClicks', view.maxClicks ?? '')}
            type="number"
            inputMode="numeric"
            min={1}
            step={1}
            hint={t('edit.clickLimitHint')}
          />
          <RedirectStatusField field={form.field('redirectStatus', view.redirectStatus)} />
        </div>
        <TextField
          label={t('edit.expiredUrl')}
          {...form.field('expiredUrl', view.expiredUrl ?? '')}
          {...address}
          placeholder="https://"
          hint={t('edit.expiredUrlHint')}
        />
        <EditPassword hasPassword={view.hasPassword} field={form.field('password')} />
        <SwitchField name="enabled" label={t('edit.enabled')} hint={t('edit.enabledHint')} on={view.state !== 'disabled'} />
        {token === null && <SwitchField name="listed" label={t('edit.listed')} hint={t('edit.listedHint')} on={view.listed} />}
      </fieldset>
      {failure && <FailureMessage>{failure}</FailureMessage>}
      <div className="sticky -bottom-5 -mx-5 -mb-5 flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-t border-line bg-raised px-5 py-3 sm:-mx-6 sm:-bottom-6 sm:-mb-6 sm:px-6 sm:py-4">
        {token !== null && <CopyToken token={token} />}
        <div className="ml-auto flex gap-3">
          <Button onClick={onClose}>{base('action.cancel')}</Button>
          <Button look="primary" type="submit" busy={pending}>
            {t(pending ? 'edit.saving' : 'edit.save')}
          </Button>
        </div>
      </div>
    </Form>
  )
}

function CopyToken({ token }: { token: string }) {
  const t = useTranslations('links')
  const copy = async () => {
    const copied = await copyText(token)
    toast(t(copied ? 'token.copied' : 'token.refused'), { ...(copied && { description: t('token.copiedHint') }) })
  }
  return (
    <Button look="quiet" size="small" className="-ml-3" onClick={copy}>
      {t('token.copy')}
    </Button>
  )
}
