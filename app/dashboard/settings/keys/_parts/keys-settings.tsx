'use client'

import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Badge } from '@/app/_ui/base/badge'
import { Button } from '@/app/_ui/base/button'
import { Card } from '@/app/_ui/base/card'
import { ConfirmDialog } from '@/app/_ui/base/confirm-dialog'
import { toast } from '@/app/_ui/base/toast'
import { deleteKey, listKeys } from '@/app/_ui/data/account'
import { useFormat } from '@/app/_ui/data/format'
import { useServerData } from '@/app/_ui/data/server-data'
import { ItemText, SettingsList } from '@/app/dashboard/settings/_parts/settings-list'
import type { ApiKeyView } from '@/lib/accounts/schemas'
import type { ForeignApi } from '@/lib/config'
import { NewKeyDialog } from './new-key-dialog'

type Open = { dialog: 'new' } | { dialog: 'delete'; key: ApiKeyView }

interface Props {
  /** Of this installation, for the example. */
  baseUrl: string
  /** The shorteners whose APIs are turned on. */
  foreign: readonly ForeignApi[]
}

/** Keys for programs. */
export function KeysSettings({ baseUrl, foreign }: Props) {
  const t = useTranslations('settings.keys')
  const resource = useServerData(['keys'], listKeys)
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  return (
    <Card
      title={t('title')}
      action={
        <Button size="small" look="primary" onClick={() => setOpen({ dialog: 'new' })}>
          {t('new')}
        </Button>
      }
    >
      <SettingsList
        label={t('title')}
        resource={resource}
        items={resource.value?.keys ?? null}
        keyOf={({ id }) => id}
        empty={t('empty')}
      >
        {(key) => (
          <>
            <ItemText title={key.name} badges={<Badge>{t(`scope.${key.scope}`)}</Badge>}>
              <span className="font-mono">{key.start}…</span> · <KeyTimes apiKey={key} />
            </ItemText>
            <Button
              size="small"
              aria-label={t('delete.name', { key: key.name })}
              onClick={() => setOpen({ dialog: 'delete', key })}
            >
              {t('delete.action')}
            </Button>
          </>
        )}
      </SettingsList>
      {open?.dialog === 'new' && <NewKeyDialog baseUrl={baseUrl} foreign={foreign} onCreated={resource.reload} onClose={close} />}
      {open?.dialog === 'delete' && (
        <ConfirmDialog
          title={t('delete.title', { key: open.key.name })}
          action={t('delete.confirm')}
          danger
          onConfirm={async () => {
            const result = await deleteKey(open.key.id)
            if (!result.ok) return result.failure.message
            resource.reload()
            toast(t('delete.done', { key: open.key.name }))
            return null
          }}
          onClose={close}
        >
          {t('delete.text')}
        </ConfirmDialog>
      )}
    </Card>
  )
}

/** When it was used last, and when it ends. */
function KeyTimes({ apiKey: { lastUsedAt, expiresAt } }: { apiKey: ApiKeyView }) {
  const t = useTranslations('settings.keys')
  const format = useFormat()
  const used = lastUsedAt === null ? t('unused') : t('used', { time: format.time(lastUsedAt) })
  const end =
    expiresAt === null
      ? t('endless')
      : t(Date.parse(expiresAt) > Date.now() ? 'expires' : 'expired', { date: format.day(expiresAt) })
  return `${used} · ${end}`
}
