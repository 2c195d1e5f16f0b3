import type { Metadata } from 'next'
import { accountSettings, currentAccount } from '@/app/_server/account'
import { sentForm } from '@/app/_server/form'
import { getTranslations } from '@/app/_server/locale'
import { ProvideMessages } from '@/app/_server/messages'
import { SignUpPage } from '@/app/_ui/account/sign-up-page'
import { LinkButton } from '@/app/_ui/base/button'
import { Message } from '@/app/_ui/base/message'
import { findInvitation } from '@/lib/accounts/invitations'
import { runtime } from '@/lib/runtime'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('accountPages')
  return { title: t('invite.title'), robots: { index: false } }
}

export default async function Invite({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params
  const t = await getTranslations('accountPages')
  if ((await currentAccount()) !== null) {
    return (
      <Message title={t('invite.hasAccount')} action={<Way href="/dashboard" text={t('invite.links')} />}>
        {t('invite.hasAccountText')}
      </Message>
    )
  }
  const { signUp, oidc } = await accountSettings()
  const invitation = signUp === 'closed' ? null : await findInvitation(await runtime(), token)
  if (invitation) {
    return (
      <ProvideMessages of={['account']}>
        <SignUpPage oidc={oidc} invitation={{ token, email: invitation.email }} sent={await sentForm()} />
      </ProvideMessages>
    )
  }
  return (
    <Message title={t('invite.bad')} action={<Way href="/sign-in" text={t('signIn')} />}>
      {t('invite.badText')}
    </Message>
  )
}

const Way = ({ href, text }: { href: string; text: string }) => (
  <LinkButton href={href} look="primary">
    {text}
  </LinkButton>
)
