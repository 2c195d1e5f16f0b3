import Link from 'next/link'
import { Button } from '@/app/_ui/base/button'
import { TextField } from '@/app/_ui/base/field'
import { Notice } from '@/app/_ui/base/notice'
import { PasswordField } from '@/app/_ui/base/password-field'
import { signIn } from '@/app/_ui/data/auth-client'
import { textOf } from '@/app/_ui/data/form'
import { useForm, wrong } from '@/app/_ui/data/use-form'
import { textLinkClass } from './narrow-page'

interface Props {
  /** What went wrong before. */
  problem: string | null
  onSignedIn: () => void
  /** The password was right, and a code is asked for. */
  onCode: () => void
  /** The password was right, and the address is to be confirmed first. */
  onVerify: (login: string) => void
}

export function SignInForm({ problem, onSignedIn, onCode, onVerify }: Props) {
  const form = useForm(async (data) => {
    const login = textOf(data, 'login').trim()
    const password = textOf(data, 'password')
    if (!login || !password) {
      return wrong({
        login: login ? undefined : 'Enter your e-mail address or your handle.',
        password: password ? undefined : 'Enter your password.',
      })
    }
    // Handles are often written down in groups.
    const digits = login.replace(/[\s-]/g, '')
    const result = await signIn(/^\d+$/.test(digits) ? digits : login, password)
    if (!result.ok) {
      const { fields, message } = result.failure
      return { message, fields: { ...fields, login: fields.email } }
    }
    if (result.value === 'second factor') onCode()
    else if (result.value === 'verify') onVerify(login)
    else onSignedIn()
    return null
  })
  const shown = form.problem ?? (Object.keys(form.errors).length === 0 ? problem : null)
  return (
    <form ref={form.ref} onSubmit={form.onSubmit} noValidate aria-label="Sign in" className="space-y-4">
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
    </form>
  )
}
