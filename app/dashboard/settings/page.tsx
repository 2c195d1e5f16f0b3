import type { Metadata } from 'next'
import { accountView } from '@/app/_server/account'
import { sentForm } from '@/app/_server/form'
import { getTranslations } from '@/app/_server/locale'
import { ProfileSettings } from '@/app/dashboard/settings/_parts/profile-settings'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('settings')
  return { title: t('title') }
}

export default async function ProfilePage() {
  const account = await accountView('/dashboard/settings')
  return <ProfileSettings account={account} sent={await sentForm()} />
}
