import type { Metadata } from 'next'
import { sentForm } from '@/app/_server/form'
import { oneOf, type SearchParams } from '@/app/_server/query'
import { LinkButton } from '@/app/_ui/base/button'
import { Message } from '@/app/_ui/base/message'
import { SetupPage } from '@/app/setup/_parts/setup-page'
import { setupUrl } from '@/lib/accounts/setup-url'
import { runtime } from '@/lib/runtime'

export const metadata: Metadata = { title: 'Set up', robots: { index: false } }

export default async function Setup({ searchParams }: { searchParams: SearchParams }) {
  const token = oneOf((await searchParams).token)
  const { brand, config, db } = await runtime()
  if ((await setupUrl(config, db)) === null) {
    return (
      <Message
        title={`${brand.name} is set up already`}
        action={
          <LinkButton href="/sign-in" look="primary">
            Sign in
          </LinkButton>
        }
      >
        It has an admin. More admins are made by that one.
      </Message>
    )
  }
  if (token) return <SetupPage token={token} name={brand.name} sent={await sentForm()} />
  return (
    <Message title={`Set up ${brand.name}`}>
      Open the link that was printed when Terse was started: it makes the first admin.
    </Message>
  )
}
