import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Badge } from '@/app/_ui/base/badge'
import { Button } from '@/app/_ui/base/button'
import { Card } from '@/app/_ui/base/card'
import { toast } from '@/app/_ui/base/toast'
import { endOtherSessions, endSession, listSessions } from '@/app/_ui/data/account'
import { useFormat } from '@/app/_ui/data/format'
import type { Result } from '@/app/_ui/data/http'
import { useServerData } from '@/app/_ui/data/server-data'
import { ItemText, SettingsList } from '@/app/dashboard/settings/_parts/settings-list'
import type { SessionView } from '@/lib/accounts/schemas'

/** Where the account is signed in. */
export function SessionsCard() {
  const t = useTranslations('settings.sessions')
  const format = useFormat()
  const resource = useServerData(['sessions'], listSessions)
  const [busy, setBusy] = useState(false)
  const sessions = resource.value?.sessions ?? null
  const act = async (action: Promise<Result<unknown>>, text: string) => {
    setBusy(true)
    const result = await action
    setBusy(false)
    resource.reload()
    if (result.ok) toast(text)
    else toast(t('failed'), { description: result.failure.message })
  }
  const nameOf = ({ agent }: SessionView) => agent || t('unknown')
  const others = sessions?.some(({ current }) => !current)
  return (
    <Card
      title={t('title')}
      action={
        others && (
          <Button size="small" busy={busy} onClick={() => void act(endOtherSessions(), t('othersEnded'))}>
            {t('endOthers')}
          </Button>
        )
      }
    >
      <SettingsList label={t('label')} resource={resource} items={sessions} keyOf={({ id }) => id} empty={t('empty')}>
        {(session) => (
          <>
            <ItemText title={nameOf(session)} badges={session.current && <Badge>{t('current')}</Badge>}>
              {[
                session.address,
                t('since', { time: format.time(session.createdAt) }),
                t('seen', { time: format.time(session.lastSeenAt) }),
              ]
                .filter(Boolean)
                .join(' · ')}
            </ItemText>
            {!session.current && (
              <Button
                size="small"
                busy={busy}
                aria-label={t('endName', { session: nameOf(session) })}
                onClick={() => void act(endSession(session.id), t('ended'))}
              >
                {t('end')}
              </Button>
            )}
          </>
        )}
      </SettingsList>
    </Card>
  )
}
