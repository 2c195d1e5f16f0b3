import Link from 'next/link'
import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Badge } from '@/app/_ui/base/badge'
import { Button } from '@/app/_ui/base/button'
import { Card } from '@/app/_ui/base/card'
import { ConfirmDialog } from '@/app/_ui/base/confirm-dialog'
import { JobProgress } from '@/app/_ui/base/job-progress'
import { Moment } from '@/app/_ui/base/moment'
import { removeDomain, updateDomain } from '@/app/_ui/data/admin'
import { useFormat } from '@/app/_ui/data/format'
import { Fact, FactAction, Facts } from '@/app/admin/_parts/facts'
import { useAct } from '@/app/admin/_parts/use-act'
import type { DomainView } from '@/lib/domains/schemas'
import type { JobView } from '@/lib/jobs/schemas'
import { hasEnded } from '@/lib/jobs/values'
import { unicodeHost } from '@/lib/net/shown-host'
import { AppFilesDialog } from './app-files-dialog'
import { CodeCase } from './code-case'
import { Proof } from './proof'
import { RedirectsDialog } from './redirects-dialog'
import { UpstreamFact } from './upstream'

interface Props {
  domain: DomainView
  onChanged: () => void
}

export function DomainCard({ domain, onChanged }: Props) {
  const t = useTranslations('admin.domains')
  const format = useFormat()
  const { act, confirmed } = useAct()
  const [asking, setAsking] = useState<'redirects' | 'apps' | 'delete' | null>(null)
  const [caseJob, setCaseJob] = useState<JobView | null>(null)
  const caseChanged = (job: JobView) => {
    setCaseJob(job)
    onChanged()
  }
  const name = unicodeHost(domain.host)
  const close = () => setAsking(null)
  const change = async (fields: Parameters<typeof updateDomain>[1], said: { done: string; failed: string }) => {
    await act(updateDomain(domain.id, fields), said)
    onChanged()
  }
  const makeDefault = () => change({ isDefault: true }, { done: t('isDefault', { name }), failed: t('notDefault', { name }) })
  const { qrCodes, spokenCodes } = domain
  const remove = () => confirmed(removeDomain(domain.id), t('delete.done', { name }), { onDone: onChanged })
  return (
    <Card
      title={
        <span className="flex flex-wrap items-center gap-2 text-anywhere">
          <bdi title={domain.host}>{name}</bdi>
          {domain.isDefault && <Badge tone="ok">{t('badge.default')}</Badge>}
          {domain.isBase && <Badge>{t('badge.base')}</Badge>}
          {domain.verifiedAt === null && <Badge tone="warn">{t('badge.unverified')}</Badge>}
        </span>
      }
      action={
        <div className="flex flex-wrap gap-2">
          {domain.verifiedAt !== null && !domain.isDefault && (
            <Button size="small" aria-label={t('action.makeDefaultName', { name })} onClick={makeDefault}>
              {t('action.makeDefault')}
            </Button>
          )}
          <Button size="small" aria-label={t('action.redirectsName', { name })} onClick={() => setAsking('redirects')}>
            {t('action.redirects')}
          </Button>
          <Button size="small" aria-label={t('action.appsName', { name })} onClick={() => setAsking('apps')}>
            {t('action.apps')}
          </Button>
          {!domain.isBase && (
            <Button size="small" look="danger" aria-label={t('action.deleteName', { name })} onClick={() => setAsking('delete')}>
              {t('action.delete')}
            </Button>
          )}
        </div>
      }
    >
      {domain.verifiedAt === null && <Proof domain={domain} name={name} onVerified={onChanged} />}
      <Facts>
        <Fact name={t('fact.links')}>
          <Link
            href={`/admin/links?${new URLSearchParams({ domain: domain.host })}`}
            prefetch={false}
            className="text-accent underline-offset-4 hover:underline"
          >
            {format.number(domain.links)}
          </Link>
        </Fact>
        {!domain.isBase && <Fact name={t('fact.root')}>{domain.rootUrl ? <bdi>{domain.rootUrl}</bdi> : t('fact.thisSite')}</Fact>}
        <Fact name={t('fact.notFound')}>{domain.notFoundUrl ? <bdi>{domain.notFoundUrl}</bdi> : t('fact.notFoundPage')}</Fact>
        <SwitchFact
          name={t('fact.qr')}
          now={t(qrCodes ? 'qr.public' : 'qr.private')}
          turn={t(qrCodes ? 'qr.turnOff' : 'qr.turnOn')}
          turnName={t(qrCodes ? 'qr.turnOffName' : 'qr.turnOnName', { name })}
          onTurn={() =>
            change({ qrCodes: !qrCodes }, { done: t(qrCodes ? 'qr.off' : 'qr.on', { name }), failed: t('qr.failed', { name }) })
          }
        />
        <SwitchFact
          name={t('fact.spoken')}
          now={t(spokenCodes ? 'spoken.kept' : 'spoken.free')}
          turn={t(spokenCodes ? 'spoken.turnOff' : 'spoken.turnOn')}
          turnName={t(spokenCodes ? 'spoken.turnOffName' : 'spoken.turnOnName', { name })}
          onTurn={() =>
            change(
              { spokenCodes: !spokenCodes },
              { done: t(spokenCodes ? 'spoken.off' : 'spoken.on', { name }), failed: t('spoken.failed', { name }) },
            )
          }
        />
        <CodeCase
          domain={domain}
          name={name}
          isRunning={caseJob !== null && !hasEnded(caseJob)}
          onStarted={setCaseJob}
          onChanged={onChanged}
        />
        {domain.verifiedAt !== null && <UpstreamFact domain={domain} name={name} onChanged={onChanged} />}
        <Fact name={t('fact.added')}>
          <Moment iso={domain.createdAt} />
        </Fact>
      </Facts>
      {caseJob && <JobProgress job={caseJob} onOver={caseChanged} onClose={() => setCaseJob(null)} />}
      {asking === 'redirects' && <RedirectsDialog domain={domain} name={name} onSaved={onChanged} onClose={close} />}
      {asking === 'apps' && <AppFilesDialog domain={domain} name={name} onClose={close} />}
      {asking === 'delete' && (
        <ConfirmDialog title={t('delete.title', { name })} action={t('action.delete')} danger onConfirm={remove} onClose={close}>
          <p>{t('delete.text')}</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}

interface SwitchProps {
  name: string
  now: string
  /** What the button says, and to those who hear only that. */
  turn: string
  turnName: string
  onTurn: () => void
}

/** Something that is one way or the other, with a button for the other. */
function SwitchFact({ name, now, turn, turnName, onTurn }: SwitchProps) {
  return (
    <Fact name={name}>
      <span className="flex flex-wrap items-center gap-x-6">
        {now}
        <FactAction label={turnName} onClick={onTurn}>
          {turn}
        </FactAction>
      </span>
    </Fact>
  )
}
