import type { Metadata } from 'next'
import { sentForm } from '@/app/_server/form'
import { getTranslations } from '@/app/_server/locale'
import { ProvideMessages } from '@/app/_server/messages'
import { oneOf, type SearchParams } from '@/app/_server/query'
import { LinkButton } from '@/app/_ui/base/button'
import { Message } from '@/app/_ui/base/message'
import { NewPasswordPage } from '@/app/reset-password/_parts/new-password-page'
import { isResetLinkGood } from '@/lib/accounts/reset'
import { resultOf } from '@/lib/forms/sent'
import { runtime } from '@/lib/runtime'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('accountPages')
  return { title: t('newPassword.title'), robots: { index: false } }
}

export default async function ResetPassword({ searchParams }: { searchParams: SearchParams }) {
  const token = oneOf((await searchParams).token)
  const sent = await sentForm()
  // Once it has set a password, the link is used, and the page says what came of it.
  const isGood = token && (resultOf(sent, 'new-password') !== null || (await isResetLinkGood(await runtime(), token)))
  if (token && isGood) {
    return (
      <ProvideMessages of={['account']}>
        <NewPasswordPage token={token} sent={sent} />
      </ProvideMessages>
    )
  }
  const t = await getTranslations('accountPages')
  return (
    <Message
      title={token ? t('newPassword.bad') : t('newPassword.incomplete')}
      action={
        <LinkButton href="/reset" look="primary">
          {t('newPassword.newLink')}
        </LinkButton>
      }
    >
      {token ? t('newPassword.badText') : t('newPassword.incompleteText')}
    </Message>
  )
}
