import type { Metadata } from 'next'
import { accountSettings } from '@/app/_server/account'
import { sentForm } from '@/app/_server/form'
import { LinkButton } from '@/app/_ui/base/button'
import { Message } from '@/app/_ui/base/message'
import { ResetPage } from '@/app/reset/_parts/reset-page'

export const metadata: Metadata = { title: 'Set a new password', robots: { index: false } }

export default async function Reset() {
  if ((await accountSettings()).mail) return <ResetPage sent={await sentForm()} />
  return (
    <Message
      title="Ask an admin for a new password"
      action={
        <LinkButton href="/sign-in" look="primary">
          Back to signing in
        </LinkButton>
      }
    >
      No mails are sent from here. The operator of this site can create a link for you by which you set a new password yourself.
      Tell them your handle, or the e-mail address of your account.
    </Message>
  )
}
