import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { accountSettings, currentAccount } from '@/app/_server/account'
import { sentForm } from '@/app/_server/form'
import { getTranslations } from '@/app/_server/locale'
import { ProvideMessages } from '@/app/_server/messages'
import { oneOf, type SearchParams } from '@/app/_server/query'
import { SignUpPage } from '@/app/_ui/account/sign-up-page'
import { LinkButton } from '@/app/_ui/base/button'
import { Message } from '@/app/_ui/base/message'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('accountPages')
  return { title: t('signUp.title') }
}

export default async function SignUp({ searchParams }: { searchParams: SearchParams }) {
  const invitation = oneOf((await searchParams).invitation)
  if (invitation) redirect(`/invite/${encodeURIComponent(invitation)}`)
  if ((await currentAccount()) !== null) redirect('/dashboard')
  const { signUp, oidc } = await accountSettings()
  if (signUp === 'open') {
    return (
      <ProvideMessages of={['account']}>
        <SignUpPage oidc={oidc} invitation={null} sent={await sentForm()} />
      </ProvideMessages>
    )
  }
  const t = await getTranslations('accountPages')
  return (
    <Message
      title={signUp === 'closed' ? t('signUp.closed') : t('signUp.byInvitation')}
      action={
        <LinkButton href="/sign-in" look="primary">
          {t('signIn')}
        </LinkButton>
      }
    >
      {signUp === 'closed' ? t('signUp.closedText') : t('signUp.byInvitationText')}
    </Message>
  )
}
