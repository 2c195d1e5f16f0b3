import type { Metadata } from 'next'
import { accountView } from '@/app/_server/account'
import { DataSettings } from '@/app/dashboard/settings/data/_parts/data-settings'

export const metadata: Metadata = { title: 'Data' }

export default async function DataPage() {
  const account = await accountView('/dashboard/settings/data')
  return <DataSettings account={account} />
}
