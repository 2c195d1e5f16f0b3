import { useState } from 'react'
import { toast } from 'sonner'
import { Badge } from '@/app/_ui/base/badge'
import { Button } from '@/app/_ui/base/button'
import { Card } from '@/app/_ui/base/card'
import { FailureMessage } from '@/app/_ui/base/failure'
import { TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { getAccount } from '@/app/_ui/data/account'
import { changeEmail } from '@/app/_ui/data/auth-client'
import { invalidBy, useForm } from '@/app/_ui/data/use-form'
import { type AccountView, SetupInput } from '@/lib/accounts/schemas'
import { invalid } from '@/lib/forms/failure'
import { textOf } from '@/lib/forms/fields'
import type { SentForm } from '@/lib/forms/sent'

const Chosen = SetupInput.pick({ email: true })

interface Props {
  account: AccountView
  /** Mails are sent from here: a change is confirmed by them. */
  mail: boolean
  /** The form, where it was sent without scripts. */
  given: SentForm | null
}

export function EmailCard({ account, mail, given }: Props) {
  const [current, setCurrent] = useState(account.email)
  const [sent, setSent] = useState<string | null>(null)
  const form = useForm(async (data) => {
    const { success, data: chosen, error } = Chosen.safeParse({ email: textOf(data, 'email').trim().toLowerCase() })
    if (!success) return invalidBy(error)
    if (chosen.email === current) return invalid({ email: 'This is your address already.' })
    const result = await changeEmail(chosen.email)
    if (!result.ok) return result.failure
    if (mail) setSent(chosen.email)
    else {
      // The same is answered for an address that another account has.
      const after = await getAccount()
      if (!after.ok) return after.failure
      if (after.value.email !== chosen.email) return invalid({ email: 'This address cannot be used.' })
      setCurrent(chosen.email)
      toast('Your new address is set')
    }
    form.ref.current?.reset()
    return null
  }, given)
  return (
    <Card title="E-mail address" action={mail && account.emailVerified && <Badge>Confirmed</Badge>}>
      <p className="mb-4 text-[15px] font-medium text-anywhere">{current}</p>
      <Form name="email" ref={form.ref} onSubmit={form.onSubmit} aria-label="E-mail address" className="space-y-4">
        {form.failure && <FailureMessage>{form.failure}</FailureMessage>}
        <TextField
          label="New address"
          {...form.field('email')}
          type="email"
          autoComplete="email"
          hint={mail ? 'We send a mail to your current and your new address. Open the link in both.' : undefined}
        />
        <Button type="submit" busy={form.pending}>
          Change the address
        </Button>
      </Form>
      <p role="status" className="mt-4 text-sm text-ok text-anywhere empty:mt-0">
        {sent && `A mail is on its way to ${current}. Open its link to go on with the change to ${sent}.`}
      </p>
    </Card>
  )
}
