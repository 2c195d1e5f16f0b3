import { randomUUID } from 'node:crypto'
import { Home } from '@/app/_parts/home'
import { currentAccount } from '@/app/_server/account'
import { sentForm } from '@/app/_server/form'
import { shortHosts } from '@/app/_server/hosts'
import { getTranslations } from '@/app/_server/locale'
import { ProvideMessages } from '@/app/_server/messages'
import { offlineWorker } from '@/app/_server/offline'
import { oneOf, type SearchParams } from '@/app/_server/query'
import { sharedAddress } from '@/lib/forms/shared'

export default async function FrontPage({ searchParams }: { searchParams: SearchParams }) {
  const t = await getTranslations('front')
  const { url, text, title } = await searchParams
  const handed = { url: oneOf(url), text: oneOf(text), title: oneOf(title) }
  const shared = sharedAddress(handed)
  return (
    <div className="mx-auto max-w-2xl pt-10 sm:pt-20">
      <h1 className="mb-6 text-3xl font-semibold tracking-tight text-balance sm:text-4xl">{t('title')}</h1>
      {shared === '' && Object.values(handed).some((one) => one) && (
        <p role="status" className="mb-4 rounded-control bg-warn-soft px-3.5 py-3 text-sm text-warn">
          {t('sharedNone')}
        </p>
      )}
      <ProvideMessages of={['claim', 'front', 'links', 'saved', 'spoken', 'waiting']}>
        <Home
          hosts={await shortHosts()}
          signedIn={(await currentAccount()) !== null}
          attempt={randomUUID()}
          sent={await sentForm()}
          shared={shared}
          worker={await offlineWorker()}
        />
      </ProvideMessages>
    </div>
  )
}
