import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { toast } from 'sonner'
import { usePasskeys } from '@/app/_ui/account/other-ways'
import { Button, IconButton } from '@/app/_ui/base/button'
import { Card } from '@/app/_ui/base/card'
import { ConfirmDialog } from '@/app/_ui/base/confirm-dialog'
import { TextField } from '@/app/_ui/base/field'
import { FormDialog } from '@/app/_ui/base/form-dialog'
import { useInBrowser } from '@/app/_ui/base/use-in-browser'
import { addPasskey, listPasskeys, type Passkey, removePasskey, renamePasskey } from '@/app/_ui/data/auth-client'
import type { Result } from '@/app/_ui/data/http'
import { useServerData } from '@/app/_ui/data/server-data'
import { formatDay } from '@/app/_ui/data/time'
import { invalidBy, useForm } from '@/app/_ui/data/use-form'
import { ItemText, SettingsList } from '@/app/dashboard/settings/_parts/settings-list'
import { UpdateAccount } from '@/lib/accounts/schemas'
import { textOf } from '@/lib/forms/fields'

type Open = { dialog: 'add' } | { dialog: 'rename' | 'remove'; passkey: Passkey }

/** To sign in by finger, face or a key on the desk. */
export function PasskeysCard() {
  const passkeys = useServerData(['passkeys'], listPasskeys)
  const [open, setOpen] = useState<Open | null>(null)
  const possible = usePasskeys()
  const inBrowser = useInBrowser()
  const close = () => setOpen(null)
  const done = (text: string) => {
    close()
    passkeys.reload()
    toast(text)
  }
  return (
    <Card
      title="Passkeys"
      action={
        <Button size="small" disabled={!possible} onClick={() => setOpen({ dialog: 'add' })}>
          Add a passkey
        </Button>
      }
    >
      <SettingsList
        label="Passkeys"
        resource={passkeys}
        items={passkeys.value}
        keyOf={({ id }) => id}
        empty={
          inBrowser && !possible
            ? 'This browser has no passkeys here: they need one that is up to date, and an address with https.'
            : 'With a passkey you sign in by finger, face or the lock of your device, without a password.'
        }
      >
        {(passkey) => (
          <>
            <ItemText title={nameOf(passkey)}>Added {formatDay(passkey.createdAt.toISOString())}</ItemText>
            <div className="-mr-2 flex">
              <IconButton
                icon={Pencil}
                label={`Rename ${nameOf(passkey)}`}
                hint="Rename"
                onClick={() => setOpen({ dialog: 'rename', passkey })}
              />
              <IconButton
                icon={Trash2}
                label={`Remove ${nameOf(passkey)}`}
                hint="Remove"
                onClick={() => setOpen({ dialog: 'remove', passkey })}
              />
            </div>
          </>
        )}
      </SettingsList>
      {open?.dialog === 'add' && (
        <NameDialog
          title="Add a passkey"
          action="Continue"
          name=""
          send={addPasskey}
          onDone={() => done('The passkey was added')}
          onClose={close}
        />
      )}
      {open?.dialog === 'rename' && (
        <NameDialog
          title="Rename the passkey"
          action="Save"
          name={nameOf(open.passkey)}
          send={(name) => renamePasskey(open.passkey.id, name)}
          onDone={() => done('The name was saved')}
          onClose={close}
        />
      )}
      {open?.dialog === 'remove' && (
        <ConfirmDialog
          title={`Remove ${nameOf(open.passkey)}?`}
          action="Remove"
          danger
          onConfirm={async () => {
            const result = await removePasskey(open.passkey.id)
            if (result.ok) done('The passkey was removed')
            return result.ok ? null : result.failure.message
          }}
          onClose={close}
        >
          It will not sign you in any more. Your device may go on offering it until you delete it there too.
        </ConfirmDialog>
      )}
    </Card>
  )
}

const nameOf = ({ name }: Passkey) => name || 'Passkey'

interface NameDialogProps {
  title: string
  action: string
  name: string
  send: (name: string) => Promise<Result<unknown>>
  onDone: () => void
  onClose: () => void
}

function NameDialog({ title, action, name, send, onDone, onClose }: NameDialogProps) {
  const form = useForm(async (data) => {
    const parsed = UpdateAccount.safeParse({ name: textOf(data, 'name') })
    if (!parsed.success) return invalidBy(parsed.error)
    const result = await send(parsed.data.name ?? '')
    if (!result.ok) return result.failure
    onDone()
    return null
  })
  return (
    <FormDialog title={title} form={form} action={action} onClose={onClose}>
      <TextField
        label="Name"
        {...form.field('name')}
        defaultValue={name}
        maxLength={100}
        autoComplete="off"
        placeholder="Laptop"
        hint="For example “Work laptop”."
      />
    </FormDialog>
  )
}
