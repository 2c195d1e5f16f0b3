import type { Metadata } from 'next'
import { accountView } from '@/app/_server/account'
import { sentForm } from '@/app/_server/form'
import { ProfileSettings } from '@/app/dashboard/settings/_parts/profile-settings'

export const metadata: Metadata = { title: 'Settings' }

export default async function ProfilePage() {
  const account = await accountView('/dashboard/settings')
  return <ProfileSettings account={account} sent={await sentForm()} />
}
