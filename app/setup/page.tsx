import type { Metadata } from 'next'
import { sentForm } from '@/app/_server/form'
import { getTranslations } from '@/app/_server/locale'
import { ProvideMessages } from '@/app/_server/messages'
import { oneOf, type SearchParams } from '@/app/_server/query'
import { LinkButton } from '@/app/_ui/base/button'
import { Message } from '@/app/_ui/base/message'
import { SetupPage } from '@/app/setup/_parts/setup-page'
import { setupUrl } from '@/lib/accounts/setup-url'
import { runtime } from '@/lib/runtime'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('accountPages')
  return { title: t('setup.title'), robots: { index: false } }
}

export default async function Setup({ searchParams }: { searchParams: SearchParams }) {
  const token = oneOf((await searchParams).token)
  const t = await getTranslations('accountPages')
  const { brand, config, db } = await runtime()
  if ((await setupUrl(config, db)) === null) {
    return (
      <Message
        title={t('setup.done', { name: brand.name })}
        action={
          <LinkButton href="/sign-in" look="primary">
            {t('signIn')}
          </LinkButton>
        }
      >
        {t('setup.doneText')}
      </Message>
    )
  }
  if (token) {
    return (
      <ProvideMessages of={['account']}>
        <SetupPage token={token} name={brand.name} sent={await sentForm()} />
      </ProvideMessages>
    )
  }
  return <Message title={t('setup.open', { name: brand.name })}>{t('setup.openText')}</Message>
}
