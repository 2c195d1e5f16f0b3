import type { Metadata } from 'next'
import { accountSettings } from '@/app/_server/account'
import { sentForm } from '@/app/_server/form'
import { getTranslations } from '@/app/_server/locale'
import { ProvideMessages } from '@/app/_server/messages'
import { LinkButton } from '@/app/_ui/base/button'
import { Message } from '@/app/_ui/base/message'
import { ResetPage } from '@/app/reset/_parts/reset-page'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('accountPages')
  return { title: t('reset.title'), robots: { index: false } }
}

export default async function Reset() {
  if ((await accountSettings()).mail) {
    return (
      <ProvideMessages of={['account']}>
        <ResetPage sent={await sentForm()} />
      </ProvideMessages>
    )
  }
  const t = await getTranslations('accountPages')
  return (
    <Message
      title={t('reset.noMail')}
      action={
        <LinkButton href="/sign-in" look="primary">
          {t('reset.back')}
        </LinkButton>
      }
    >
      {t('reset.noMailText')}
    </Message>
  )
}
