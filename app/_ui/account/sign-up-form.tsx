import { Button } from '@/app/_ui/base/button'
import { Notice } from '@/app/_ui/base/notice'
import { signUp } from '@/app/_ui/data/auth-client'
import { textOf } from '@/app/_ui/data/form'
import { useForm, wrongBy } from '@/app/_ui/data/use-form'
import { SetupInput } from '@/lib/accounts/schemas'
import { PersonFields } from './person-fields'
import type { Invitation } from './sign-up-page'

interface Props {
  invitation: Invitation | null
  onSignedIn: () => void
  /** A mail was sent to this address, and its link signs in. */
  onVerify: (email: string) => void
}

const Person = SetupInput.omit({ token: true })

export function SignUpForm({ invitation, onSignedIn, onVerify }: Props) {
  const form = useForm(async (data) => {
    const given = { name: textOf(data, 'name'), email: textOf(data, 'email').trim(), password: textOf(data, 'password') }
    const { success, data: person, error } = Person.safeParse(given)
    if (!success) return wrongBy(error)
    const result = await signUp({ ...person, invitation: invitation?.token ?? null })
    if (!result.ok) return result.failure
    if (result.value === 'verify') onVerify(person.email)
    else onSignedIn()
    return null
  })
  return (
    <form ref={form.ref} onSubmit={form.onSubmit} noValidate aria-label="Make an account" className="space-y-4">
      {form.problem && <Notice>{form.problem}</Notice>}
      <PersonFields form={form} email={invitation?.email ?? ''} />
      <Button type="submit" look="primary" disabled={form.pending} className="mt-2 w-full">
        {form.pending ? 'Making your account…' : 'Make the account'}
      </Button>
    </form>
  )
}
