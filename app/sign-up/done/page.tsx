import type { Metadata } from 'next'
import { requireAccount } from '@/app/_server/account'
import { getTranslations } from '@/app/_server/locale'
import { ProvideMessages } from '@/app/_server/messages'
import { Welcome } from '@/app/_ui/account/welcome'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('accountPages')
  return { title: t('signUp.welcome'), robots: { index: false } }
}

export default async function SignedUp() {
  const { name, handle } = await requireAccount('/sign-up/done')
  return (
    <ProvideMessages of={['account', 'claim']}>
      <Welcome name={name} handle={handle} />
    </ProvideMessages>
  )
}
