import { useTranslations } from '#i18n'
import { Choices } from '@/app/_ui/base/choices'
import { TextField } from '@/app/_ui/base/field'
import { FormDialog } from '@/app/_ui/base/form-dialog'
import { PasswordField } from '@/app/_ui/base/password-field'
import { deleteAccount } from '@/app/_ui/data/account'
import { useForm } from '@/app/_ui/data/use-form'
import type { AccountView } from '@/lib/accounts/schemas'
import { invalid } from '@/lib/forms/failure'
import { textOf } from '@/lib/forms/fields'

const CHOICES = ['keep', 'delete'] as const

/** Asks what becomes of the links, and once more who it is. */
export function DeleteDialog({ account, onClose }: { account: AccountView; onClose: () => void }) {
  const t = useTranslations('settings.delete')
  const form = useForm(async (data) => {
    const handle = textOf(data, 'handle').replace(/[\s-]/g, '')
    const password = textOf(data, 'password')
    const missing = account.hasPassword && password === ''
    if (handle !== account.handle || missing) {
      return invalid({
        handle: handle === account.handle ? undefined : t('handleWrong', { handle: account.handle }),
        password: missing ? t('passwordMissing') : undefined,
      })
    }
    const links = textOf(data, 'links') === 'delete' ? 'delete' : 'keep'
    const result = await deleteAccount({ handle, links, ...(account.hasPassword && { password }) })
    if (!result.ok) return result.failure
    // A page of its own, so that nothing of the account stays behind in this one.
    location.assign('/')
    return null
  })
  const choices = CHOICES.map((value) => ({ value, title: t(`${value}.title`), hint: t(`${value}.hint`) }))
  return (
    <FormDialog
      title={t('confirmTitle')}
      description={t('confirmText')}
      form={form}
      action={t('action')}
      danger
      onClose={onClose}
    >
      <Choices label={t('links')} name="links" options={choices} defaultValue="keep" />
      <TextField
        label={t('handle', { handle: account.handle })}
        {...form.field('handle')}
        inputMode="numeric"
        autoComplete="off"
      />
      {account.hasPassword && <PasswordField label={t('password')} {...form.field('password')} autoComplete="current-password" />}
    </FormDialog>
  )
}
