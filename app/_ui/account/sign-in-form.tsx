import Link from 'next/link'
import { Button } from '@/app/_ui/base/button'
import { TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { Notice } from '@/app/_ui/base/notice'
import { PasswordField } from '@/app/_ui/base/password-field'
import { signIn } from '@/app/_ui/data/auth-client'
import { useForm, wrong } from '@/app/_ui/data/use-form'
import { textOf } from '@/lib/forms/fields'
import { addressIn, readLogin } from '@/lib/forms/read'
import type { SentForm } from '@/lib/forms/sent'
import { signInTrouble } from '@/lib/forms/trouble'
import { textLinkClass } from './narrow-page'

interface Props {
  /** What went wrong before. */
  problem: string | null
  sent: SentForm | null
  onSignedIn: () => void
  /** The password was right, and a code is asked for. */
  onCode: () => void
  /** Something was wrong, and nobody is told what: it may be an address that is not confirmed. */
  onRefused: (address: string) => void
}

export function SignInForm({ problem, sent, onSignedIn, onCode, onRefused }: Props) {
  const form = useForm(async (data) => {
    const read = readLogin(data)
    if (!read.ok) return wrong(read.fields)
    const result = await signIn(read.value)
    if (!result.ok) {
      if (result.failure.kind === 'refused') onRefused(addressIn(textOf(data, 'login')))
      return signInTrouble(result.failure)
    }
    if (result.value === 'second factor') onCode()
    else onSignedIn()
    return null
  }, sent)
  const shown = form.problem ?? (Object.keys(form.errors).length === 0 ? problem : null)
  return (
    <Form name="sign-in" ref={form.ref} onSubmit={form.onSubmit} aria-label="Sign in" className="space-y-4">
      {shown && <Notice>{shown}</Notice>}
      <TextField
        label="E-mail address or handle"
        name="login"
        type="text"
        inputMode="email"
        autoComplete="username webauthn"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        defaultValue={form.typed.login}
        error={form.errors.login}
        onChange={() => form.clear('login')}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        error={form.errors.password}
        onChange={() => form.clear('password')}
      />
      <div className="flex flex-col gap-4 pt-1">
        <Button type="submit" look="primary" disabled={form.pending} className="w-full">
          {form.pending ? 'Signing in…' : 'Sign in'}
        </Button>
        <Link href="/reset" className={`self-start text-sm ${textLinkClass}`}>
          Forgot your password?
        </Link>
      </div>
    </Form>
  )
}
