import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Checkbox } from '@/app/_ui/base/checkbox'
import { Dialog } from '@/app/_ui/base/dialog'
import { DialogForm } from '@/app/_ui/base/dialog-form'
import { addressInput, FieldError, TextField } from '@/app/_ui/base/field'
import { ShownOnce } from '@/app/_ui/base/secret'
import { toast } from '@/app/_ui/base/toast'
import { useForm } from '@/app/_ui/data/use-form'
import { createWebhook, updateWebhook } from '@/app/_ui/data/webhooks'
import { ADMIN_EVENTS, EVENT_KINDS, type EventKind } from '@/lib/events/kinds'
import { textOf } from '@/lib/forms/fields'
import type { WebhookView } from '@/lib/webhooks/schemas'
import { MOST_WEBHOOK_URL } from '@/lib/webhooks/values'

interface Props {
  /** null: a new one. */
  webhook: WebhookView | null
  isAdmin: boolean
  onSaved: () => void
  onClose: () => void
}

/** Creates a webhook and shows its secret this once, or edits one. */
export function WebhookDialog({ webhook, isAdmin, onSaved, onClose }: Props) {
  const t = useTranslations('settings.webhooks')
  const [secret, setSecret] = useState<string | null>(null)
  const saved = (view: WebhookView) => {
    onSaved()
    if (view.secret !== undefined) return setSecret(view.secret)
    toast(t('edit.done'))
    onClose()
  }
  const title = secret !== null ? t('secret.title') : t(webhook ? 'edit.title' : 'create.title')
  // The same dialog for both: one that closed would take the cursor back to the page.
  return (
    <Dialog title={title} description={secret !== null ? t('secret.text') : undefined} onClose={secret === null ? onClose : null}>
      {secret === null ? (
        <WebhookForm title={title} webhook={webhook} isAdmin={isAdmin} onSaved={saved} onClose={onClose} />
      ) : (
        <ShownOnce text={secret} name={t('secret.copy')} onClose={onClose} />
      )}
    </Dialog>
  )
}

interface FormProps extends Omit<Props, 'onSaved'> {
  title: string
  onSaved: (view: WebhookView) => void
}

function WebhookForm({ title, webhook, isAdmin, onSaved, onClose }: FormProps) {
  const t = useTranslations('settings.webhooks')
  const [events, setEvents] = useState<readonly EventKind[]>(webhook?.events ?? ['link.created', 'link.clicked'])
  const form = useForm(async (data) => {
    const body = { url: textOf(data, 'url').trim(), events: [...events] }
    const result = await (webhook ? updateWebhook(webhook.id, body) : createWebhook(body))
    if (!result.ok) return result.failure
    onSaved(result.value)
    return null
  })
  const offered = EVENT_KINDS.filter((kind) => isAdmin || !ADMIN_EVENTS.includes(kind))
  const toggle = (kind: EventKind, on: boolean) => {
    form.clear('events')
    setEvents(on ? [...events, kind] : events.filter((other) => other !== kind))
  }
  return (
    <DialogForm label={title} form={form} action={t(webhook ? 'edit.submit' : 'create.submit')} onClose={onClose}>
      <TextField
        label={t('create.url')}
        hint={t('create.urlHint')}
        placeholder="https://example.com/hooks"
        maxLength={MOST_WEBHOOK_URL}
        {...addressInput}
        {...form.field('url', webhook?.url)}
      />
      <fieldset name="events" aria-describedby={form.errors.events && 'webhook-events-error'}>
        <legend className="mb-1 text-sm font-medium">{t('create.events')}</legend>
        <div className="flex flex-col">
          {offered.map((kind) => (
            <Checkbox
              key={kind}
              label={t(`eventLong.${kind.replace('.', '_') as 'link_created'}`)}
              checked={events.includes(kind)}
              onChange={(on) => toggle(kind, on)}
            />
          ))}
        </div>
        {form.errors.events && <FieldError id="webhook-events-error">{form.errors.events}</FieldError>}
      </fieldset>
    </DialogForm>
  )
}
