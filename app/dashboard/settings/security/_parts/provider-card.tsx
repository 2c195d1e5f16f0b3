import { useState } from 'react'
import { toast } from 'sonner'
import { Button } from '@/app/_ui/base/button'
import { Card } from '@/app/_ui/base/card'
import { ConfirmDialog } from '@/app/_ui/base/confirm-dialog'
import { FailureMessage } from '@/app/_ui/base/failure'
import { linkProvider, listProviderAccounts, unlinkProvider } from '@/app/_ui/data/auth-client'
import { useServerData } from '@/app/_ui/data/server-data'
import { formatDay } from '@/app/_ui/data/time'
import { ItemText, SettingsList } from '@/app/dashboard/settings/_parts/settings-list'

interface Props {
  /** What the provider calls itself. */
  name: string
  /** Why it did not link, where the browser comes from there. */
  failure: string | null
}

/** To sign in by the provider of the settings, to an account that was made another way. */
export function ProviderCard({ name, failure: refused }: Props) {
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
      title="Sign-in provider"
      action={
        accounts.value?.length === 0 && (
          <Button size="small" busy={leaving} onClick={() => void link()}>
            Link {name}
          </Button>
        )
      }
    >
      {failure && <FailureMessage>{failure}</FailureMessage>}
      <SettingsList
        label="Sign-in provider"
        resource={accounts}
        items={accounts.value}
        keyOf={({ id }) => id}
        empty={`Once linked, you can also sign in with ${name}, if it knows you by the same e-mail address.`}
      >
        {({ id, createdAt }) => (
          <>
            <ItemText title={name}>Linked {formatDay(createdAt.toISOString())}</ItemText>
            <Button size="small" onClick={() => setUnlinking(id)}>
              Unlink
            </Button>
          </>
        )}
      </SettingsList>
      {unlinking !== null && (
        <ConfirmDialog
          title={`Unlink ${name}?`}
          action="Unlink"
          danger
          onConfirm={async () => {
            const result = await unlinkProvider(unlinking)
            if (!result.ok) return result.failure.message
            setUnlinking(null)
            accounts.reload()
            toast(`${name} no longer signs you in`)
            return null
          }}
          onClose={() => setUnlinking(null)}
        >
          It will not sign you in here any more. Your account and its links stay.
        </ConfirmDialog>
      )}
    </Card>
  )
}
