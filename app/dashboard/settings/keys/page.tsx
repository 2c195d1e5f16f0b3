import type { Metadata } from 'next'
import { requireAccount } from '@/app/_server/account'
import { baseUrl } from '@/app/_server/base-url'
import { KeysSettings } from '@/app/dashboard/settings/keys/_parts/keys-settings'

export const metadata: Metadata = { title: 'API keys' }

export default async function KeysPage() {
  await requireAccount('/dashboard/settings/keys')
  return <KeysSettings baseUrl={await baseUrl()} />
}
