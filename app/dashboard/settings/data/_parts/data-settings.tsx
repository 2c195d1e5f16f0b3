'use client'

import { Download } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from '#i18n'
import { claimAndTell } from '@/app/_ui/account/claim-card'
import { Button, buttonClass } from '@/app/_ui/base/button'
import { Card } from '@/app/_ui/base/card'
import { FailureMessage } from '@/app/_ui/base/failure'
import { JobProgress } from '@/app/_ui/base/job-progress'
import { startExport } from '@/app/_ui/data/account'
import { useRecents } from '@/app/_ui/data/recents'
import type { AccountView } from '@/lib/accounts/schemas'
import type { JobView } from '@/lib/jobs/schemas'
import { DeleteDialog } from './delete-dialog'
import { LinksExportCard } from './links-export-card'

export function DataSettings({ account }: { account: AccountView }) {
  return (
    <div className="space-y-4">
      <BrowserLinksCard />
      <LinksExportCard />
      <ExportCard />
      <DeleteCard account={account} />
    </div>
  )
}

/** The links of this browser that the account has not; also those that it was offered in vain. */
function BrowserLinksCard() {
  const t = useTranslations('settings')
  const claim = useTranslations('claim')
  const links = useRecents()?.filter(({ manageToken, lost }) => manageToken !== null && !lost)
  const [busy, setBusy] = useState(false)
  if (!links)
    return <Card title={t('browserLinks.title')}>{<p className="text-sm text-muted">{t('browserLinks.loading')}</p>}</Card>
  const add = async () => {
    setBusy(true)
    await claimAndTell(links, claim)
    setBusy(false)
  }
  return (
    <Card title={t('browserLinks.title')}>
      <p className="text-sm text-muted text-pretty">
        {links.length === 0 ? t('browserLinks.none') : t('browserLinks.some', { count: links.length })}
      </p>
      {links.length > 0 && (
        <Button className="mt-4" busy={busy} onClick={() => void add()}>
          {busy ? t('browserLinks.adding') : t('browserLinks.add')}
        </Button>
      )}
    </Card>
  )
}

function ExportCard() {
  const t = useTranslations('settings')
  const [job, setJob] = useState<JobView | null>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const start = async () => {
    setBusy(true)
    setFailure(null)
    const result = await startExport()
    setBusy(false)
    if (result.ok) setJob(result.value)
    else setFailure(result.failure.message)
  }
  return (
    <Card title={t('export.title')}>
      <p className="mb-4 text-sm text-muted text-pretty">{t('export.text')}</p>
      {failure && (
        <div className="mb-4">
          <FailureMessage>{failure}</FailureMessage>
        </div>
      )}
      {job && <JobProgress key={job.number} job={job} onOver={setJob} onClose={() => setJob(null)} />}
      {job?.state === 'done' && job.hasFile ? (
        <a href={`/api/v1/jobs/${job.number}/file`} download className={buttonClass('primary')}>
          <Download aria-hidden="true" className="size-[18px]" />
          {t('export.download')}
        </a>
      ) : (
        <Button disabled={busy || (job !== null && job.finishedAt === null)} onClick={() => void start()}>
          {t('export.start')}
        </Button>
      )}
    </Card>
  )
}

function DeleteCard({ account }: { account: AccountView }) {
  const t = useTranslations('settings')
  const [open, setOpen] = useState(false)
  return (
    <Card title={t('delete.title')}>
      <p className="text-sm text-muted text-pretty">{t('delete.text')}</p>
      <Button look="danger" className="mt-4" onClick={() => setOpen(true)}>
        {t('delete.action')}
      </Button>
      {open && <DeleteDialog account={account} onClose={() => setOpen(false)} />}
    </Card>
  )
}
