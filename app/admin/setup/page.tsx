import { headers } from 'next/headers'
import { requireAdmin } from '@/app/_server/account'
import { sentForm } from '@/app/_server/form'
import { ProvideMessages } from '@/app/_server/messages'
import { oneOf, type SearchParams } from '@/app/_server/query'
import { adminMetadata } from '@/app/admin/_parts/admin-page'
import { FIRST_STEPS, type FirstStep, firstStepsDone, isThisMachine } from '@/lib/overview/first-steps'
import { runtime } from '@/lib/runtime'
import { DomainStep } from './_parts/domain-step'
import { ImportStep } from './_parts/import-step'
import { MailStep } from './_parts/mail-step'
import { SetupSteps } from './_parts/setup-steps'
import { SignUpStep } from './_parts/sign-up-step'

export const generateMetadata = adminMetadata('setup')

/** What is left to do after the first admin has an account. The step is in the address, so that it works without scripts. */
export default async function FirstRunPage({ searchParams }: { searchParams: SearchParams }) {
  const account = await requireAdmin('/admin/setup')
  const ctx = await runtime()
  const done = await firstStepsDone(ctx)
  const asked = oneOf((await searchParams).step)
  const step = FIRST_STEPS.find((name) => name === asked) ?? FIRST_STEPS.find((name) => !done[name]) ?? 'domain'
  return (
    <ProvideMessages of={['setup']}>
      <SetupSteps name={ctx.brand.name} step={step} done={done}>
        {await contentOf(step, done[step], account.email)}
      </SetupSteps>
    </ProvideMessages>
  )
}

async function contentOf(step: FirstStep, done: boolean, email: string) {
  const { config, db, mailer } = await runtime()
  switch (step) {
    case 'domain': {
      const waiting = await db.read((client) => client.domain.count({ where: { verifiedAt: null } }))
      return <DomainStep baseUrl={config.BASE_URL} openedAt={(await headers()).get('host')} done={done} waiting={waiting} />
    }
    case 'mail': {
      const { SMTP_URL, BASE_URL } = config
      const server = SMTP_URL === undefined ? null : new URL(SMTP_URL).host
      return (
        <MailStep
          server={server}
          from={mailer.from}
          host={isThisMachine(BASE_URL) ? 'example.com' : new URL(BASE_URL).hostname}
          email={email}
          sent={await sentForm()}
        />
      )
    }
    case 'signUp':
      return <SignUpStep policy={config.SIGN_UP} given={done} anonymous={config.ANONYMOUS_LINKS} />
    case 'import':
      return (
        <ProvideMessages of={['dashboard']}>
          <ImportStep done={done} />
        </ProvideMessages>
      )
  }
}
