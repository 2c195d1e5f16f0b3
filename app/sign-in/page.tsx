import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { accountSettings, currentAccount } from '@/app/_server/account'
import { sentForm } from '@/app/_server/form'
import { getTranslations, pageLocale } from '@/app/_server/locale'
import { ProvideMessages } from '@/app/_server/messages'
import { oneOf, type SearchParams } from '@/app/_server/query'
import { SignInPage } from '@/app/sign-in/_parts/sign-in-page'
import { nextPath } from '@/lib/accounts/next-path'
import { wordsOfError } from '@/lib/forms/auth-words'
import { writer } from '@/lib/i18n/translate'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account')
  return { title: t('signIn.title') }
}

const STEPS = ['code', 'backup'] as const

export default async function SignIn({ searchParams }: { searchParams: SearchParams }) {
  const query = await searchParams
  const next = nextPath(oneOf(query.next))
  const error = oneOf(query.error)
  if ((await currentAccount()) !== null) redirect(next)
  const step = STEPS.find((known) => known === oneOf(query.step)) ?? 'password'
  const failure = error === undefined ? null : writer(await pageLocale())(wordsOfError(error))
  return (
    <ProvideMessages of={['account']}>
      <SignInPage settings={await accountSettings()} next={next} failure={failure} step={step} sent={await sentForm()} />
    </ProvideMessages>
  )
}
