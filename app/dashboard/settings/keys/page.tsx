import type { Metadata } from 'next'
import { requireAccount } from '@/app/_server/account'
import { KeysSettings } from '@/app/_ui/settings/keys-settings'
import { baseUrl } from '@/app/_ui/site'

export const metadata: Metadata = { title: 'API keys' }

export default async function KeysPage() {
  await requireAccount('/dashboard/settings/keys')
  return <KeysSettings baseUrl={await baseUrl()} />
}
