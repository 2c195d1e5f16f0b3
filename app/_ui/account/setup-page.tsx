'use client'

import { Button } from '@/app/_ui/base/button'
import { Notice } from '@/app/_ui/base/notice'
import { setUp } from '@/app/_ui/data/account'
import { textOf } from '@/app/_ui/data/form'
import { useForm, wrongBy } from '@/app/_ui/data/use-form'
import { SetupInput } from '@/lib/accounts/schemas'
import { NarrowPage } from './narrow-page'
import { NeedsJavaScript } from './needs-javascript'
import { PersonFields } from './person-fields'

/** Makes the first admin. @param token as it was printed at start */
export function SetupPage({ token }: { token: string }) {
  const form = useForm(async (data) => {
    const given = { name: textOf(data, 'name'), email: textOf(data, 'email').trim(), password: textOf(data, 'password') }
    const { success, data: input, error } = SetupInput.safeParse({ ...given, token })
    if (!success) return wrongBy(error)
    const result = await setUp(input)
    if (!result.ok) return result.failure
    location.assign('/admin')
    return null
  })
  return (
    <NarrowPage title="Set up Terse" intro="Make the first account. It is the admin’s: it sees all links, accounts and reports.">
      <NeedsJavaScript />
      <form ref={form.ref} onSubmit={form.onSubmit} noValidate aria-label="Set up" className="space-y-4">
        {form.problem && <Notice>{form.problem}</Notice>}
        <PersonFields form={form} />
        <Button type="submit" look="primary" disabled={form.pending} className="mt-2 w-full">
          {form.pending ? 'Making the account…' : 'Make the admin’s account'}
        </Button>
      </form>
    </NarrowPage>
  )
}
