import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { requireAccount } from '@/app/_server/account'
import { sentForm } from '@/app/_server/form'
import { shortHosts } from '@/app/_server/hosts'
import { getTranslations, pageLocale } from '@/app/_server/locale'
import { oneOf, type SearchParams, withQuery } from '@/app/_server/query'
import { buttonClass } from '@/app/_ui/base/button'
import { PageHead } from '@/app/_ui/base/page-head'
import { PastImports } from '@/app/_ui/links/moving/past-imports'
import { ImportState } from '@/app/dashboard/import/_parts/import-state'
import { LiveForm } from '@/app/dashboard/import/_parts/live-form'
import { canBeAsked, SourceNav } from '@/app/dashboard/import/_parts/source-nav'
import { UploadForm } from '@/app/dashboard/import/_parts/upload-form'
import type { Account } from '@/lib/actor'
import { viewOwners } from '@/lib/api/import-owners'
import { isTerseError } from '@/lib/errors'
import { sentOf } from '@/lib/forms/sent'
import { writer } from '@/lib/i18n/translate'
import { importsAmong } from '@/lib/jobs/imports'
import { findJob, listJobItems, listJobs, toJobView } from '@/lib/jobs/store'
import { MOVED_FROM } from '@/lib/movers/sources'
import { runtime } from '@/lib/runtime'

/** Rows that are listed. All of them are in the file of results. */
const SHOWN = 50
/** Jobs among which imports are looked for. */
const JOBS = 50

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('dashboard')
  return { title: t('import.title') }
}

/** An import by forms that the browser sends itself: it works without scripts. With them, a dialog does the same. */
export default async function ImportPage({ searchParams }: { searchParams: SearchParams }) {
  const asked = await searchParams
  const account = await requireAccount(withQuery('/dashboard/import', asked))
  const number = oneOf(asked.job)
  const t = await getTranslations('dashboard')
  const sent = await sentForm()
  const from = MOVED_FROM.find((name) => name === oneOf(asked.from)) ?? null
  const isLive = canBeAsked(from) && oneOf(asked.by) === 'api'
  const hosts = await shortHosts()
  return (
    <div data-without-scripts className="mx-auto max-w-2xl">
      <PageHead title={t('import.title')} />
      {number === undefined ? (
        <div className="space-y-5 rounded-card border border-line bg-surface p-4 sm:p-5">
          <PastImports
            heading="h2"
            jobs={await importsOf(account)}
            show={(job, name) => (
              <a
                href={withQuery('/dashboard/import', { job: job.number })}
                aria-label={name}
                className={buttonClass('secondary', undefined, 'small')}
              >
                {t('import.past.show')}
              </a>
            )}
          />
          <SourceNav from={from} isLive={isLive} />
          {isLive && from ? (
            <LiveForm from={from} hosts={hosts} sent={sentOf(sent, 'import-live')} />
          ) : (
            <UploadForm from={from} hosts={hosts} sent={sentOf(sent, 'import')} />
          )}
        </div>
      ) : (
        <ImportState {...(await jobOf(account, number))} sent={sentOf(sent, 'import-step')} />
      )}
    </div>
  )
}

/** Imports of this account that can be gone on with. */
async function importsOf({ id }: Account) {
  const { jobs } = await listJobs(await runtime(), id, { limit: JOBS }, writer(await pageLocale()))
  return importsAmong(jobs)
}

/** A job of this account that the page shows, and the first rows of it that failed. */
async function jobOf(account: Account, number: string) {
  const ctx = await runtime()
  const write = writer(await pageLocale())
  try {
    const job = await findJob(ctx, account.id, number)
    if (job.kind !== 'import' && job.kind !== 'undo' && job.kind !== 'verify') notFound()
    const { items } = await listJobItems(ctx, job, { limit: SHOWN, outcome: 'failed' }, write)
    return { job: { ...toJobView(job, write), ...(await viewOwners(ctx, account, job)) }, failed: items }
  } catch (error) {
    if (isTerseError(error) && error.code === 'not_found') notFound()
    throw error
  }
}
