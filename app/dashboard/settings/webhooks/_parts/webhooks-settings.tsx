'use client'

import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { Card } from '@/app/_ui/base/card'
import { ConfirmDialog } from '@/app/_ui/base/confirm-dialog'
import { Dialog } from '@/app/_ui/base/dialog'
import { DialogForm } from '@/app/_ui/base/dialog-form'
import { ShownOnce } from '@/app/_ui/base/secret'
import { toast } from '@/app/_ui/base/toast'
import type { Result } from '@/app/_ui/data/http'
import { useServerData } from '@/app/_ui/data/server-data'
import { useForm } from '@/app/_ui/data/use-form'
import { deleteWebhook, listWebhooks, rollSecret, testWebhook, updateWebhook } from '@/app/_ui/data/webhooks'
import { SettingsList } from '@/app/dashboard/settings/_parts/settings-list'
import type { WebhookView } from '@/lib/webhooks/schemas'
import { Deliveries } from './deliveries'
import { WebhookDialog } from './webhook-dialog'
import { hostOf, type WebhookAction, WebhookItem } from './webhook-item'

type Open = { dialog: 'new' } | { dialog: 'delete' | 'deliveries' | 'edit' | 'roll'; webhook: WebhookView }

/** Where events are sent, and what became of them. */
export function WebhooksSettings({ isAdmin }: { isAdmin: boolean }) {
  const t = useTranslations('settings.webhooks')
  const resource = useServerData(['webhooks'], listWebhooks)
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)

  const told = async (pending: Promise<Result<unknown>>, text: string): Promise<string | null> => {
    const result = await pending
    if (!result.ok) return result.failure.message
    resource.reload()
    toast(text)
    return null
  }
  const turn = async ({ id, url }: WebhookView, enabled: boolean) => {
    const failure = await told(updateWebhook(id, { enabled }), t(enabled ? 'turnedOn' : 'turnedOff', { host: hostOf(url) }))
    if (failure !== null) toast(t('failed'), { description: failure })
  }
  /** The log then shows what becomes of it. */
  const test = async (webhook: WebhookView) => {
    const failure = await told(testWebhook(webhook.id), t('test.sent', { host: hostOf(webhook.url) }))
    if (failure === null) setOpen({ dialog: 'deliveries', webhook })
    else toast(t('test.failed'), { description: failure })
  }
  const act = (action: WebhookAction, webhook: WebhookView) => {
    if (action === 'test') void test(webhook)
    else if (action === 'on' || action === 'off') void turn(webhook, action === 'on')
    else setOpen({ dialog: action, webhook })
  }
  return (
    <Card
      title={t('title')}
      hint={t('hint')}
      action={
        <Button size="small" look="primary" onClick={() => setOpen({ dialog: 'new' })}>
          {t('new')}
        </Button>
      }
    >
      <SettingsList
        label={t('title')}
        resource={resource}
        items={resource.value?.webhooks ?? null}
        keyOf={({ id }) => id}
        empty={t('empty')}
      >
        {(webhook) => <WebhookItem webhook={webhook} onAction={(action) => act(action, webhook)} />}
      </SettingsList>
      {(open?.dialog === 'new' || open?.dialog === 'edit') && (
        <WebhookDialog
          webhook={open.dialog === 'edit' ? open.webhook : null}
          isAdmin={isAdmin}
          onSaved={resource.reload}
          onClose={close}
        />
      )}
      {open?.dialog === 'deliveries' && <Deliveries webhook={open.webhook} onClose={close} />}
      {open?.dialog === 'roll' && <RollDialog webhook={open.webhook} onRolled={resource.reload} onClose={close} />}
      {open?.dialog === 'delete' && (
        <ConfirmDialog
          title={t('delete.title', { host: hostOf(open.webhook.url) })}
          action={t('delete.confirm')}
          danger
          onConfirm={() => told(deleteWebhook(open.webhook.id), t('delete.done', { host: hostOf(open.webhook.url) }))}
          onClose={close}
        >
          {t('delete.text')}
        </ConfirmDialog>
      )}
    </Card>
  )
}

interface RollProps {
  webhook: WebhookView
  onRolled: () => void
  onClose: () => void
}

/** Asks first, then shows the new secret this once: in the same dialog, or the cursor would be lost. */
function RollDialog({ webhook, onRolled, onClose }: RollProps) {
  const t = useTranslations('settings.webhooks')
  const [secret, setSecret] = useState<string | null>(null)
  const form = useForm(async () => {
    const result = await rollSecret(webhook.id)
    if (!result.ok) return result.failure
    onRolled()
    setSecret(result.value.secret ?? '')
    return null
  })
  const title = secret === null ? t('roll.title', { host: hostOf(webhook.url) }) : t('secret.title')
  return (
    <Dialog title={title} description={secret === null ? undefined : t('secret.text')} onClose={secret === null ? onClose : null}>
      {secret === null ? (
        <DialogForm label={title} form={form} action={t('roll.confirm')} onClose={onClose}>
          <p className="text-[15px] text-muted">{t('roll.text')}</p>
        </DialogForm>
      ) : (
        <ShownOnce text={secret} name={t('secret.copy')} onClose={onClose} />
      )}
    </Dialog>
  )
}
