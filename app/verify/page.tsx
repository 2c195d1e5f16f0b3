import type { Metadata } from 'next'
import { currentAccount, hasConfirmed } from '@/app/_server/account'
import { oneOf, type SearchParams } from '@/app/_server/query'
import { Welcome } from '@/app/_ui/account/welcome'
import { LinkButton } from '@/app/_ui/base/button'
import { Message } from '@/app/_ui/base/message'

export const metadata: Metadata = { title: 'Your e-mail address', robots: { index: false } }

/** Where the links of mails lead that confirm an address; `to` names the new one where it is to change. */
export default async function Verify({ searchParams }: { searchParams: SearchParams }) {
  const query = await searchParams
  const [error, to] = [oneOf(query.error), oneOf(query.to)]
  const account = await currentAccount()
  const [href, action] = account ? ['/dashboard/settings/security', 'To the settings'] : ['/sign-in', 'Sign in']
  const on = (
    <LinkButton href={href} look="primary">
      {action}
    </LinkButton>
  )
  // A new account begins where its handle is shown.
  const welcome = (
    <LinkButton href={to === undefined ? '/sign-in?next=/sign-up/done' : '/sign-in'} look="primary">
      Sign in
    </LinkButton>
  )
  if (error !== undefined) {
    return (
      <Message title="This link does not work any more" action={on}>
        It is more than an hour old, or incomplete.{' '}
        {account
          ? 'Change the address again to get a new mail.'
          : 'Sign in: if your address is not confirmed yet, you can have the mail sent again there.'}
      </Message>
    )
  }
  if (!(await hasConfirmed())) {
    return (
      <Message title="Open the link in your mail" action={on}>
        This page tells you when your address is confirmed. For that, open it by the link in the mail that we sent you.
      </Message>
    )
  }
  if (!account) {
    return (
      <Message title="Your address is confirmed" action={welcome}>
        Sign in to go on.
      </Message>
    )
  }
  if (to === undefined) return <Welcome title="Your address is confirmed" handle={account.handle} />
  if (account.email === to.toLowerCase()) {
    return (
      <Message title="Your new address is confirmed" action={on}>
        From now on you sign in with it, and mails are sent to it.
      </Message>
    )
  }
  return (
    <Message title="One more step" action={on}>
      A mail is on its way to the new address. Open its link too: the address changes with that.
    </Message>
  )
}
