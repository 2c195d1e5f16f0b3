import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from '#i18n'
import { usePasskeys } from '@/app/_ui/account/use-ways'
import { Button, IconButton } from '@/app/_ui/base/button'
import { Card } from '@/app/_ui/base/card'
import { ConfirmDialog } from '@/app/_ui/base/confirm-dialog'
import { TextField } from '@/app/_ui/base/field'
import { FormDialog } from '@/app/_ui/base/form-dialog'
import { toast } from '@/app/_ui/base/toast'
import { addPasskey, listPasskeys, type Passkey, removePasskey, renamePasskey } from '@/app/_ui/data/auth-client'
import { useFormat } from '@/app/_ui/data/format'
import type { Result } from '@/app/_ui/data/http'
import { useServerData } from '@/app/_ui/data/server-data'
import { useForm } from '@/app/_ui/data/use-form'
import { useInBrowser } from '@/app/_ui/data/use-in-browser'
import { write } from '@/app/_ui/data/words'
import { ItemText, SettingsList } from '@/app/dashboard/settings/_parts/settings-list'
import { readName } from '@/lib/forms/read'

type Open = { dialog: 'add' } | { dialog: 'rename' | 'remove'; passkey: Passkey }

/** To sign in by finger, face or a key on the desk. */
export function PasskeysCard() {
  const t = useTranslations('settings.passkeys')
  const format = useFormat()
  const passkeys = useServerData(['passkeys'], listPasskeys)
  const [open, setOpen] = useState<Open | null>(null)
  const possible = usePasskeys()
  const inBrowser = useInBrowser()
  const nameOf = ({ name }: Passkey) => name || t('unnamed')
  const close = () => setOpen(null)
  const done = (text: string) => {
    close()
    passkeys.reload()
    toast(text)
  }
  return (
    <Card
      title={t('title')}
      action={
        <Button size="small" disabled={!possible} onClick={() => setOpen({ dialog: 'add' })}>
          {t('add')}
        </Button>
      }
    >
      <SettingsList
        label={t('title')}
        resource={passkeys}
        items={passkeys.value}
        keyOf={({ id }) => id}
        empty={inBrowser && !possible ? t('unsupported') : t('empty')}
      >
        {(passkey) => (
          <>
            <ItemText title={nameOf(passkey)}>{t('added', { date: format.day(passkey.createdAt) })}</ItemText>
            <div className="-mr-2 flex">
              <IconButton
                icon={Pencil}
                label={t('rename.name', { passkey: nameOf(passkey) })}
                hint={t('rename.hint')}
                onClick={() => setOpen({ dialog: 'rename', passkey })}
              />
              <IconButton
                icon={Trash2}
                label={t('remove.name', { passkey: nameOf(passkey) })}
                hint={t('remove.hint')}
                onClick={() => setOpen({ dialog: 'remove', passkey })}
              />
            </div>
          </>
        )}
      </SettingsList>
      {open?.dialog === 'add' && (
        <NameDialog
          title={t('create.title')}
          action={t('create.continue')}
          name=""
          send={addPasskey}
          onDone={() => done(t('create.done'))}
          onClose={close}
        />
      )}
      {open?.dialog === 'rename' && (
        <NameDialog
          title={t('rename.title')}
          action={t('rename.save')}
          name={nameOf(open.passkey)}
          send={(name) => renamePasskey(open.passkey.id, name)}
          onDone={() => done(t('rename.done'))}
          onClose={close}
        />
      )}
      {open?.dialog === 'remove' && (
        <ConfirmDialog
          title={t('remove.title', { passkey: nameOf(open.passkey) })}
          action={t('remove.action')}
          danger
          onConfirm={async () => {
            const result = await removePasskey(open.passkey.id)
            if (result.ok) done(t('remove.done'))
            return result.ok ? null : result.failure.message
          }}
          onClose={close}
        >
          {t('remove.text')}
        </ConfirmDialog>
      )}
    </Card>
  )
}

interface NameDialogProps {
  title: string
  action: string
  name: string
  send: (name: string) => Promise<Result<unknown>>
  onDone: () => void
  onClose: () => void
}

function NameDialog({ title, action, name, send, onDone, onClose }: NameDialogProps) {
  const t = useTranslations('settings.passkeys')
  const form = useForm(async (data) => {
    const read = readName(data, write)
    if (!read.ok) return read.failure
    const result = await send(read.value.name.trim())
    if (!result.ok) return result.failure
    onDone()
    return null
  })
  return (
    <FormDialog title={title} form={form} action={action} onClose={onClose}>
      <TextField
        label={t('label')}
        {...form.field('name')}
        defaultValue={name}
        maxLength={100}
        autoComplete="off"
        placeholder={t('placeholder')}
        hint={t('hint')}
      />
    </FormDialog>
  )
}
