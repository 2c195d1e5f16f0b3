import type { Metadata } from 'next'
import { requireAccount } from '@/app/_server/account'
import { Welcome } from '@/app/_ui/account/welcome'

export const metadata: Metadata = { title: 'Welcome', robots: { index: false } }

export default async function SignedUp() {
  const { name, handle } = await requireAccount('/sign-up/done')
  return <Welcome title={`Welcome, ${name}`} handle={handle} />
}
