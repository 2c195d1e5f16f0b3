import type { Metadata } from 'next'
import { currentAccount, hasConfirmed } from '@/app/_server/account'
import { getTranslations } from '@/app/_server/locale'
import { ProvideMessages } from '@/app/_server/messages'
import { oneOf, type SearchParams } from '@/app/_server/query'
import { Welcome } from '@/app/_ui/account/welcome'
import { LinkButton } from '@/app/_ui/base/button'
import { Message } from '@/app/_ui/base/message'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('accountPages')
  return { title: t('verify.title'), robots: { index: false } }
}

/** Where the links of mails lead that confirm an address; `to` names the new one where it is to change. */
export default async function Verify({ searchParams }: { searchParams: SearchParams }) {
  const t = await getTranslations('accountPages')
  const query = await searchParams
  const [error, to] = [oneOf(query.error), oneOf(query.to)]
  const account = await currentAccount()
  const [href, action] = account ? ['/dashboard/settings/security', t('verify.settings')] : ['/sign-in', t('signIn')]
  const on = (
    <LinkButton href={href} look="primary">
      {action}
    </LinkButton>
  )
  // A new account begins where its handle is shown.
  const welcome = (
    <LinkButton href={to === undefined ? '/sign-in?next=/sign-up/done' : '/sign-in'} look="primary">
      {t('signIn')}
    </LinkButton>
  )
  if (error !== undefined) {
    return (
      <Message title={t('verify.bad')} action={on}>
        {account ? t('verify.badSettings') : t('verify.badText')}
      </Message>
    )
  }
  if (!(await hasConfirmed())) {
    return (
      <Message title={t('verify.open')} action={on}>
        {t('verify.openText')}
      </Message>
    )
  }
  if (!account) {
    return (
      <Message title={t('verify.confirmed')} action={welcome}>
        {t('verify.confirmedText')}
      </Message>
    )
  }
  if (to === undefined) {
    return (
      <ProvideMessages of={['account', 'claim']}>
        <Welcome title={t('verify.confirmed')} name={account.name} handle={account.handle} />
      </ProvideMessages>
    )
  }
  if (account.email === to.toLowerCase()) {
    return (
      <Message title={t('verify.edited')} action={on}>
        {t('verify.editedText')}
      </Message>
    )
  }
  return (
    <Message title={t('verify.oneMore')} action={on}>
      {t('verify.oneMoreText')}
    </Message>
  )
}
