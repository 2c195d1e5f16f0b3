import { toast } from 'sonner'
import { TextLink } from '@/app/_ui/account/narrow-page'
import { Button } from '@/app/_ui/base/button'
import { Card } from '@/app/_ui/base/card'
import { FailureMessage } from '@/app/_ui/base/failure'
import { Form } from '@/app/_ui/base/form'
import { PasswordField } from '@/app/_ui/base/password-field'
import { changePassword } from '@/app/_ui/data/auth-client'
import { useForm } from '@/app/_ui/data/use-form'
import { MAX_PASSWORD, MIN_PASSWORD } from '@/lib/accounts/names'
import { invalid } from '@/lib/forms/failure'
import { textOf } from '@/lib/forms/fields'
import { type SentForm, sentOf } from '@/lib/forms/sent'

export function PasswordCard({ hasPassword, mail, sent }: { hasPassword: boolean; mail: boolean; sent: SentForm | null }) {
  if (hasPassword) return <ChangePassword sent={sentOf(sent, 'password')} />
  return (
    <Card title="Password">
      <p className="text-sm text-muted">
        Your account has no password: you sign in another way.{' '}
        {mail ? (
          <>
            To set one, sign out and <TextLink href="/reset">ask for a link</TextLink>.
          </>
        ) : (
          'To set one, ask an admin for a link.'
        )}
      </p>
    </Card>
  )
}

function ChangePassword({ sent }: { sent: SentForm | null }) {
  const form = useForm(async (data) => {
    const [password, chosen] = [textOf(data, 'password'), textOf(data, 'newPassword')]
    if (!password || chosen.length < MIN_PASSWORD) {
      return invalid({
        password: password ? undefined : 'Enter your present password.',
        newPassword: chosen.length < MIN_PASSWORD ? `Use at least ${MIN_PASSWORD} characters.` : undefined,
      })
    }
    const result = await changePassword(password, chosen)
    if (!result.ok) return result.failure
    form.ref.current?.reset()
    toast('Your new password is set')
    return null
  }, sent)
  return (
    <Card title="Password">
      <Form name="password" ref={form.ref} onSubmit={form.onSubmit} aria-label="Password" className="space-y-4">
        {form.failure && <FailureMessage>{form.failure}</FailureMessage>}
        <PasswordField label="Current password" {...form.field('password')} autoComplete="current-password" />
        <PasswordField
          label="New password"
          {...form.field('newPassword')}
          maxLength={MAX_PASSWORD}
          hint={`At least ${MIN_PASSWORD} characters. You are signed out everywhere else.`}
        />
        <Button type="submit" busy={form.pending}>
          Change the password
        </Button>
      </Form>
    </Card>
  )
}
