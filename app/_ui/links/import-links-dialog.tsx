import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { Dialog } from '@/app/_ui/base/dialog'
import { JobProgress } from '@/app/_ui/base/job-progress'
import { listOwnJobs } from '@/app/_ui/data/jobs'
import { useServerData } from '@/app/_ui/data/server-data'
import type { ShortHost } from '@/lib/domains/short-host'
import { importsAmong } from '@/lib/jobs/imports'
import type { JobView } from '@/lib/jobs/schemas'
import { MovingForm } from './moving/moving-form'
import { PastImports } from './moving/past-imports'

interface Props {
  /** The domains that links can be put on. */
  hosts?: readonly ShortHost[]
  /** The list has been read, as far as it could be. */
  onOver: () => void
  onClose: () => void
}

/** Takes in links of another shortener, for the account that is signed in. */
export function ImportLinksDialog({ hosts = [], onOver, onClose }: Props) {
  const t = useTranslations('dashboard.import')
  const [job, setJob] = useState<JobView | null>(null)
  const past = useServerData(['jobs', 'own'], listOwnJobs)
  const close = () => {
    // What is not over yet has created links already.
    if (job) onOver()
    onClose()
  }
  return (
    <Dialog title={t('title')} onClose={close}>
      {job ? (
        <JobProgress
          key={job.number}
          job={job}
          onOther={setJob}
          onOver={(ended) => {
            setJob(ended)
            onOver()
          }}
          onClose={close}
        />
      ) : (
        <>
          <PastImports
            heading="h3"
            jobs={importsAmong(past.value?.jobs ?? [])}
            show={(one, name) => (
              <Button size="small" aria-label={name} onClick={() => setJob(one)}>
                {t('past.show')}
              </Button>
            )}
          />
          <MovingForm hosts={hosts} onBegun={setJob} onCancel={onClose} />
        </>
      )}
    </Dialog>
  )
}
