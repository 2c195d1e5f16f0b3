import type { Metadata } from 'next'
import { currentAccount } from '@/app/_server/account'
import { sentForm } from '@/app/_server/form'
import { LinkButton } from '@/app/_ui/base/button'
import { Message } from '@/app/_ui/base/message'
import { SignOutPage } from '@/app/logout/_parts/sign-out-page'

export const metadata: Metadata = { title: 'Sign out', robots: { index: false } }

/** For browsers without scripts: with them the menu of the account signs out. */
export default async function Logout() {
  const account = await currentAccount()
  if (account) return <SignOutPage name={account.name} sent={await sentForm()} />
  return (
    <Message
      title="You are signed out"
      action={
        <LinkButton href="/sign-in" look="primary">
          Sign in
        </LinkButton>
      }
    >
      Links can be made without an account too.
    </Message>
  )
}
