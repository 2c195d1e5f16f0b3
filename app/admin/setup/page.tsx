import { headers } from 'next/headers'
import { requireAdmin } from '@/app/_server/account'
import { sentForm } from '@/app/_server/form'
import { ProvideMessages } from '@/app/_server/messages'
import { oneOf, type SearchParams } from '@/app/_server/query'
import { adminMetadata } from '@/app/admin/_parts/admin-page'
import { openedElsewhere, suggestedSettings } from '@/lib/overview/first-settings'
import { FIRST_STEPS, firstStepsDone } from '@/lib/overview/first-steps'
import { runtime } from '@/lib/runtime'
import { DomainStep } from './_parts/domain-step'
import { ImportStep } from './_parts/import-step'
import { MailStep } from './_parts/mail-step'
import { SetupSteps, STEPS, type Step } from './_parts/setup-steps'
import { SignUpStep } from './_parts/sign-up-step'
import { Summary } from './_parts/summary'

export const generateMetadata = adminMetadata('setup')

/** What is left to do after the first admin has an account. The step is in the address, so that it works without scripts. */
export default async function FirstRunPage({ searchParams }: { searchParams: SearchParams }) {
  const account = await requireAdmin('/admin/setup')
  const ctx = await runtime()
  const done = await firstStepsDone(ctx)
  const asked = oneOf((await searchParams).step)
  const step = STEPS.find((name) => name === asked) ?? FIRST_STEPS.find((name) => !done[name]) ?? 'summary'
  return (
    <ProvideMessages of={['setup']}>
      <SetupSteps name={ctx.brand.name} step={step} done={done}>
        {await contentOf(step, step !== 'summary' && done[step], account.email)}
      </SetupSteps>
    </ProvideMessages>
  )
}

async function contentOf(step: Step, done: boolean, email: string) {
  const { config, db, mailer } = await runtime()
  const openedAt = (await headers()).get('host')
  const settings = suggestedSettings(config, openedAt)
  switch (step) {
    case 'domain': {
      const waiting = await db.read((client) => client.domain.count({ where: { verifiedAt: null } }))
      return (
        <DomainStep
          baseUrl={config.BASE_URL}
          elsewhere={openedElsewhere(config, openedAt)}
          done={done}
          settings={settings.domain}
          waiting={waiting}
        />
      )
    }
    case 'mail': {
      const { SMTP_URL } = config
      const server = SMTP_URL === undefined ? null : new URL(SMTP_URL).host
      return <MailStep server={server} from={mailer.from} settings={settings.mail} email={email} sent={await sentForm()} />
    }
    case 'signUp':
      return <SignUpStep policy={config.SIGN_UP} given={done} anonymous={config.ANONYMOUS_LINKS} />
    case 'import':
      return (
        <ProvideMessages of={['dashboard']}>
          <ImportStep done={done} />
        </ProvideMessages>
      )
    case 'summary':
      return <Summary settings={Object.values(settings).flat()} />
  }
}
