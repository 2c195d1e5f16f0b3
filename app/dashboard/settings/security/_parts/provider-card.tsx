import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { Card } from '@/app/_ui/base/card'
import { ConfirmDialog } from '@/app/_ui/base/confirm-dialog'
import { FailureMessage } from '@/app/_ui/base/failure'
import { toast } from '@/app/_ui/base/toast'
import { linkProvider, listProviderAccounts, unlinkProvider } from '@/app/_ui/data/auth-client'
import { useFormat } from '@/app/_ui/data/format'
import { useServerData } from '@/app/_ui/data/server-data'
import { ItemText, SettingsList } from '@/app/dashboard/settings/_parts/settings-list'

interface Props {
  /** What the provider calls itself. */
  name: string
  /** Why it did not link, where the browser comes from there. */
  failure: string | null
}

/** To sign in by the provider of the settings, to an account that was made another way. */
export function ProviderCard({ name, failure: refused }: Props) {
  const t = useTranslations('settings.provider')
  const format = useFormat()
  const accounts = useServerData(['provider accounts'], listProviderAccounts)
  const [leaving, setLeaving] = useState(false)
  const [failure, setFailure] = useState(refused)
  const [unlinking, setUnlinking] = useState<string | null>(null)
  const link = async () => {
    setLeaving(true)
    setFailure(null)
    const result = await linkProvider('/dashboard/settings/security')
    // The provider's page is on its way.
    if (result.ok) return
    setLeaving(false)
    setFailure(result.failure.message)
  }
  return (
    <Card
      title={t('title')}
      action={
        accounts.value?.length === 0 && (
          <Button size="small" busy={leaving} onClick={() => void link()}>
            {t('link', { provider: name })}
          </Button>
        )
      }
    >
      {failure && <FailureMessage>{failure}</FailureMessage>}
      <SettingsList
        label={t('title')}
        resource={accounts}
        items={accounts.value}
        keyOf={({ id }) => id}
        empty={t('empty', { provider: name })}
      >
        {({ id, createdAt }) => (
          <>
            <ItemText title={name}>{t('linked', { date: format.day(createdAt) })}</ItemText>
            <Button size="small" onClick={() => setUnlinking(id)}>
              {t('unlink')}
            </Button>
          </>
        )}
      </SettingsList>
      {unlinking !== null && (
        <ConfirmDialog
          title={t('unlinkTitle', { provider: name })}
          action={t('unlink')}
          danger
          onConfirm={async () => {
            const result = await unlinkProvider(unlinking)
            if (!result.ok) return result.failure.message
            setUnlinking(null)
            accounts.reload()
            toast(t('unlinked', { provider: name }))
            return null
          }}
          onClose={() => setUnlinking(null)}
        >
          {t('unlinkText')}
        </ConfirmDialog>
      )}
    </Card>
  )
}
