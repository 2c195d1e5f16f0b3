import { useState } from 'react'
import { toast } from 'sonner'
import { Badge } from '@/app/_ui/base/badge'
import { Button } from '@/app/_ui/base/button'
import { Card } from '@/app/_ui/base/card'
import { endOtherSessions, endSession, listSessions } from '@/app/_ui/data/account'
import type { Result } from '@/app/_ui/data/http'
import { useServerData } from '@/app/_ui/data/server-data'
import { formatTime } from '@/app/_ui/data/time'
import { ItemText, SettingsList } from '@/app/dashboard/settings/_parts/settings-list'
import type { SessionView } from '@/lib/accounts/schemas'

/** Where the account is signed in. */
export function SessionsCard() {
  const resource = useServerData(['sessions'], listSessions)
  const [busy, setBusy] = useState(false)
  const sessions = resource.value?.sessions ?? null
  const act = async (action: Promise<Result<unknown>>, text: string) => {
    setBusy(true)
    const result = await action
    setBusy(false)
    resource.reload()
    if (result.ok) toast(text)
    else toast('You were not signed out there', { description: result.failure.message })
  }
  const others = sessions?.some(({ current }) => !current)
  return (
    <Card
      title="Where you are signed in"
      action={
        others && (
          <Button size="small" busy={busy} onClick={() => void act(endOtherSessions(), 'Signed out everywhere else')}>
            Sign out everywhere else
          </Button>
        )
      }
    >
      <SettingsList label="Sessions" resource={resource} items={sessions} keyOf={({ id }) => id} empty="None.">
        {(session) => (
          <>
            <ItemText title={nameOf(session)} badges={session.current && <Badge>This browser</Badge>}>
              {[session.address, `since ${formatTime(session.createdAt)}`, `last seen ${formatTime(session.lastSeenAt)}`]
                .filter(Boolean)
                .join(' · ')}
            </ItemText>
            {!session.current && (
              <Button size="small" busy={busy} onClick={() => void act(endSession(session.id), 'Signed out there')}>
                Sign out<span className="sr-only">: {nameOf(session)}</span>
              </Button>
            )}
          </>
        )}
      </SettingsList>
    </Card>
  )
}

const nameOf = ({ agent }: SessionView) => agent || 'Another program'
