import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { accountSettings, currentAccount } from '@/app/_server/account'
import { sentForm } from '@/app/_server/form'
import { oneOf, type SearchParams } from '@/app/_server/query'
import { SignUpPage } from '@/app/_ui/account/sign-up-page'
import { LinkButton } from '@/app/_ui/base/button'
import { Message } from '@/app/_ui/base/message'

export const metadata: Metadata = { title: 'Make an account' }

export default async function SignUp({ searchParams }: { searchParams: SearchParams }) {
  const invitation = oneOf((await searchParams).invitation)
  if (invitation) redirect(`/invite/${encodeURIComponent(invitation)}`)
  if ((await currentAccount()) !== null) redirect('/dashboard')
  const { signUp, oidc } = await accountSettings()
  if (signUp === 'open') return <SignUpPage oidc={oidc} invitation={null} sent={await sentForm()} />
  return (
    <Message
      title={signUp === 'closed' ? 'New accounts are not made here' : 'Accounts are made by invitation'}
      action={
        <LinkButton href="/sign-in" look="primary">
          Sign in
        </LinkButton>
      }
    >
      {signUp === 'closed'
        ? 'The operator of this site has closed it to new accounts. Links can still be made without one.'
        : 'Ask the operator of this site for an invitation, and open its link. Links can be made without an account too.'}
    </Message>
  )
}
