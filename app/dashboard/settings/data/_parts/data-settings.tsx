'use client'

import { Download } from 'lucide-react'
import { useState } from 'react'
import { claimAndTell } from '@/app/_ui/account/claim-card'
import { Button, buttonClass } from '@/app/_ui/base/button'
import { Card } from '@/app/_ui/base/card'
import { FailureMessage } from '@/app/_ui/base/failure'
import { JobProgress } from '@/app/_ui/base/job-progress'
import { startExport } from '@/app/_ui/data/account'
import { useRecents } from '@/app/_ui/data/recents'
import { formatCount } from '@/app/_ui/data/time'
import type { AccountView } from '@/lib/accounts/schemas'
import type { JobView } from '@/lib/jobs/schemas'
import { DeleteDialog } from './delete-dialog'

export function DataSettings({ account }: { account: AccountView }) {
  return (
    <div className="space-y-4">
      <BrowserLinksCard />
      <ExportCard />
      <DeleteCard account={account} />
    </div>
  )
}

/** The links of this browser that the account has not; also those that it was offered in vain. */
function BrowserLinksCard() {
  const links = useRecents()?.filter(({ manageToken, lost }) => manageToken !== null && !lost)
  const [busy, setBusy] = useState(false)
  if (!links) return <Card title="Links of this browser">{<p className="text-sm text-muted">Looking…</p>}</Card>
  const add = async () => {
    setBusy(true)
    await claimAndTell(links)
    setBusy(false)
  }
  return (
    <Card title="Links of this browser">
      <p className="text-sm text-muted text-pretty">
        {links.length === 0
          ? 'No links were made in this browser without an account. Those that are can be added here.'
          : `${formatCount(links.length, 'link was', 'links were')} made in this browser without an account.`}
      </p>
      {links.length > 0 && (
        <Button className="mt-4" busy={busy} onClick={() => void add()}>
          {busy ? 'Adding…' : 'Add to your account'}
        </Button>
      )}
    </Card>
  )
}

function ExportCard() {
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
    <Card title="Export">
      <p className="mb-4 text-sm text-muted text-pretty">
        All that is kept about you, in one JSON file: your account, the names of your keys, and each link with its clicks by day.
      </p>
      {failure && (
        <div className="mb-4">
          <FailureMessage>{failure}</FailureMessage>
        </div>
      )}
      {job && <JobProgress key={job.number} job={job} onOver={setJob} onClose={() => setJob(null)} />}
      {job?.state === 'done' && job.hasFile ? (
        <a href={`/api/v1/jobs/${job.number}/file`} download className={buttonClass('primary')}>
          <Download aria-hidden="true" className="size-[18px]" />
          Download the file
        </a>
      ) : (
        <Button disabled={busy || (job !== null && job.finishedAt === null)} onClick={() => void start()}>
          Export everything
        </Button>
      )}
    </Card>
  )
}

function DeleteCard({ account }: { account: AccountView }) {
  const [open, setOpen] = useState(false)
  return (
    <Card title="Delete the account">
      <p className="text-sm text-muted text-pretty">
        Your account, its keys and its sessions are gone for good. You decide what becomes of your links.
      </p>
      <Button look="danger" className="mt-4" onClick={() => setOpen(true)}>
        Delete the account
      </Button>
      {open && <DeleteDialog account={account} onClose={() => setOpen(false)} />}
    </Card>
  )
}
