'use client'

import { useState } from 'react'
import { toast } from 'sonner'
import { Badge } from '@/app/_ui/base/badge'
import { Button } from '@/app/_ui/base/button'
import { Card } from '@/app/_ui/base/card'
import { ConfirmDialog } from '@/app/_ui/base/confirm-dialog'
import { deleteKey, listKeys } from '@/app/_ui/data/account'
import { useServerData } from '@/app/_ui/data/server-data'
import { formatDay, formatTime } from '@/app/_ui/data/time'
import { ItemText, SettingsList } from '@/app/dashboard/settings/_parts/settings-list'
import type { ApiKeyView } from '@/lib/accounts/schemas'
import { NewKeyDialog } from './new-key-dialog'

type Open = { dialog: 'new' } | { dialog: 'delete'; key: ApiKeyView }

/** Keys for programs. @param baseUrl of this installation, for the example */
export function KeysSettings({ baseUrl }: { baseUrl: string }) {
  const resource = useServerData(['keys'], listKeys)
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  return (
    <Card
      title="API keys"
      action={
        <Button size="small" look="primary" onClick={() => setOpen({ dialog: 'new' })}>
          New key
        </Button>
      }
    >
      <SettingsList
        label="API keys"
        resource={resource}
        items={resource.value?.keys ?? null}
        keyOf={({ id }) => id}
        empty="No keys yet. With one, a program of yours makes and reads links as you do here."
      >
        {(key) => (
          <>
            <ItemText title={key.name} badges={<Badge>{key.scope === 'write' ? 'Read and write' : 'Read only'}</Badge>}>
              <span className="font-mono">{key.start}…</span> · {usedText(key)} · {endText(key)}
            </ItemText>
            <Button size="small" onClick={() => setOpen({ dialog: 'delete', key })}>
              Delete<span className="sr-only"> {key.name}</span>
            </Button>
          </>
        )}
      </SettingsList>
      {open?.dialog === 'new' && <NewKeyDialog baseUrl={baseUrl} onCreated={resource.reload} onClose={close} />}
      {open?.dialog === 'delete' && (
        <ConfirmDialog
          title={`Delete the key ${open.key.name}?`}
          action="Delete the key"
          danger
          onConfirm={async () => {
            const result = await deleteKey(open.key.id)
            if (!result.ok) return result.failure.message
            resource.reload()
            toast(`The key ${open.key.name} was deleted`)
            return null
          }}
          onClose={close}
        >
          Programs that use it are refused from now on. This cannot be taken back.
        </ConfirmDialog>
      )}
    </Card>
  )
}

const usedText = ({ lastUsedAt }: ApiKeyView) => (lastUsedAt ? `last used ${formatTime(lastUsedAt)}` : 'never used')

function endText({ expiresAt }: ApiKeyView): string {
  if (expiresAt === null) return 'never expires'
  return `${Date.parse(expiresAt) > Date.now() ? 'expires' : 'expired'} ${formatDay(expiresAt)}`
}
