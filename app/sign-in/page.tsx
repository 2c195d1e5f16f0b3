import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { accountSettings, currentAccount } from '@/app/_server/account'
import { oneOf, type SearchParams } from '@/app/_server/query'
import { SignInPage } from '@/app/_ui/account/sign-in-page'
import { wordsOfError } from '@/app/_ui/data/auth-words'
import { nextPath } from '@/lib/accounts/next-path'

export const metadata: Metadata = { title: 'Sign in', robots: { index: false } }

export default async function SignIn({ searchParams }: { searchParams: SearchParams }) {
  const query = await searchParams
  const next = nextPath(oneOf(query.next))
  const error = oneOf(query.error)
  if ((await currentAccount()) !== null) redirect(next)
  return <SignInPage settings={await accountSettings()} next={next} problem={error === undefined ? null : wordsOfError(error)} />
}
