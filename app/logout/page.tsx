import type { Metadata } from 'next'
import { currentAccount } from '@/app/_server/account'
import { sentForm } from '@/app/_server/form'
import { getTranslations } from '@/app/_server/locale'
import { ProvideMessages } from '@/app/_server/messages'
import { LinkButton } from '@/app/_ui/base/button'
import { Message } from '@/app/_ui/base/message'
import { SignOutPage } from '@/app/logout/_parts/sign-out-page'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('accountPages')
  return { title: t('signOut.title'), robots: { index: false } }
}

/** For browsers without scripts: with them the menu of the account signs out. */
export default async function Logout() {
  const account = await currentAccount()
  if (account) {
    return (
      <ProvideMessages of={['account']}>
        <SignOutPage name={account.name} sent={await sentForm()} />
      </ProvideMessages>
    )
  }
  const t = await getTranslations('accountPages')
  return (
    <Message
      title={t('signOut.done')}
      action={
        <LinkButton href="/sign-in" look="primary">
          {t('signIn')}
        </LinkButton>
      }
    >
      {t('signOut.doneText')}
    </Message>
  )
}
