import { randomUUID } from 'node:crypto'
import { Home } from '@/app/_parts/home'
import { currentAccount } from '@/app/_server/account'
import { sentForm } from '@/app/_server/form'
import { shortHosts } from '@/app/_server/hosts'
import { getTranslations } from '@/app/_server/locale'
import { ProvideMessages } from '@/app/_server/messages'

export default async function FrontPage() {
  const t = await getTranslations('front')
  return (
    <div className="mx-auto max-w-2xl pt-10 sm:pt-20">
      <h1 className="mb-6 text-3xl font-semibold tracking-tight text-balance sm:text-4xl">{t('title')}</h1>
      <ProvideMessages of={['claim', 'front', 'links']}>
        <Home
          hosts={await shortHosts()}
          signedIn={(await currentAccount()) !== null}
          attempt={randomUUID()}
          sent={await sentForm()}
        />
      </ProvideMessages>
    </div>
  )
}
