import type { Metadata } from 'next'
import { accountSettings, accountView } from '@/app/_server/account'
import { sentForm } from '@/app/_server/form'
import { getTranslations, pageLocale } from '@/app/_server/locale'
import { oneOf, type SearchParams } from '@/app/_server/query'
import { SecuritySettings } from '@/app/dashboard/settings/security/_parts/security-settings'
import { wordsOfError } from '@/lib/forms/auth-words'
import { writer } from '@/lib/i18n/translate'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('settings')
  return { title: t('nav.security') }
}

export default async function SecurityPage({ searchParams }: { searchParams: SearchParams }) {
  const account = await accountView('/dashboard/settings/security')
  const { mail, oidc } = await accountSettings()
  const error = oneOf((await searchParams).error)
  const failure = error === undefined ? null : writer(await pageLocale())(wordsOfError(error))
  return <SecuritySettings account={account} mail={mail} oidc={oidc} failure={failure} sent={await sentForm()} />
}
