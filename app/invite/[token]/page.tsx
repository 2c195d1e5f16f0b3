import type { Metadata } from 'next'
import { accountSettings, currentAccount } from '@/app/_server/account'
import { sentForm } from '@/app/_server/form'
import { SignUpPage } from '@/app/_ui/account/sign-up-page'
import { LinkButton } from '@/app/_ui/base/button'
import { Message } from '@/app/_ui/base/message'
import { findInvitation } from '@/lib/accounts/invitations'
import { runtime } from '@/lib/runtime'

export const metadata: Metadata = { title: 'Invitation', robots: { index: false } }

export default async function Invite({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params
  if ((await currentAccount()) !== null) {
    return (
      <Message title="You have an account already" action={<Way href="/dashboard" text="Go to your links" />}>
        This invitation is for someone who has none: sign out first, or pass it on.
      </Message>
    )
  }
  const { signUp, oidc } = await accountSettings()
  const invitation = signUp === 'closed' ? null : await findInvitation(await runtime(), token)
  if (invitation) return <SignUpPage oidc={oidc} invitation={{ token, email: invitation.email }} sent={await sentForm()} />
  return (
    <Message title="This invitation does not work any more" action={<Way href="/sign-in" text="Sign in" />}>
      It was used or taken back, or it has expired. Ask for a new one.
    </Message>
  )
}

const Way = ({ href, text }: { href: string; text: string }) => (
  <LinkButton href={href} look="primary">
    {text}
  </LinkButton>
)
