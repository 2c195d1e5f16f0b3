import type { Metadata } from 'next'
import { sentForm } from '@/app/_server/form'
import { oneOf, type SearchParams } from '@/app/_server/query'
import { LinkButton } from '@/app/_ui/base/button'
import { Message } from '@/app/_ui/base/message'
import { NewPasswordPage } from '@/app/reset-password/_parts/new-password-page'
import { isResetLinkGood } from '@/lib/accounts/reset'
import { resultOf } from '@/lib/forms/sent'
import { runtime } from '@/lib/runtime'

export const metadata: Metadata = { title: 'Choose a new password', robots: { index: false } }

export default async function ResetPassword({ searchParams }: { searchParams: SearchParams }) {
  const token = oneOf((await searchParams).token)
  const sent = await sentForm()
  // Once it has set a password, the link is used, and the page says what came of it.
  const isGood = token && (resultOf(sent, 'new-password') !== null || (await isResetLinkGood(await runtime(), token)))
  if (token && isGood) return <NewPasswordPage token={token} sent={sent} />
  return (
    <Message
      title={token ? 'This link does not work any more' : 'This link is incomplete'}
      action={
        <LinkButton href="/reset" look="primary">
          Ask for a new link
        </LinkButton>
      }
    >
      {token
        ? 'It was used already, or it has expired. Links for a new password work once.'
        : 'Open the link in the mail again, or copy all of it. Some mail programs cut long links in two.'}
    </Message>
  )
}
