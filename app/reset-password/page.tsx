import type { Metadata } from 'next'
import Link from 'next/link'
import { sentForm } from '@/app/_server/form'
import { oneOf, type SearchParams } from '@/app/_server/query'
import { NewPasswordPage } from '@/app/_ui/account/new-password-page'
import { buttonClass } from '@/app/_ui/base/button'
import { Message } from '@/app/_ui/base/message'

export const metadata: Metadata = { title: 'Choose a new password', robots: { index: false } }

export default async function ResetPassword({ searchParams }: { searchParams: SearchParams }) {
  const token = oneOf((await searchParams).token)
  if (token) return <NewPasswordPage token={token} sent={await sentForm()} />
  return (
    <Message
      title="This link is not whole"
      action={
        <Link href="/reset" className={buttonClass('primary')}>
          Ask for a new link
        </Link>
      }
    >
      Open the link of the mail once more, or copy all of it. Some mail programs cut long links in two.
    </Message>
  )
}
