'use client'

import Link from 'next/link'
import type { z } from 'zod'
import { useTranslations } from '#i18n'
import { getReport } from '@/app/_ui/data/admin'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { useServerData } from '@/app/_ui/data/server-data'
import { AccountLink } from '@/app/admin/_parts/account-link'
import { Destination } from '@/app/admin/_parts/destination'
import { DetailDrawer } from '@/app/admin/_parts/detail-drawer'
import { Fact, Facts, Part, TimeFact } from '@/app/admin/_parts/facts'
import { History } from '@/app/admin/_parts/history'
import { LongText } from '@/app/admin/_parts/long-text'
import { ReportLines } from '@/app/admin/_parts/report-lines'
import { ReportState } from '@/app/admin/_parts/report-state'
import { openPath } from '@/app/admin/_parts/use-open-row'
import { unicodeHost } from '@/lib/net/shown-host'
import type { ReportDetail, ReportView } from '@/lib/reports/schemas'
import { LinkState } from './report-columns'
import { ResolveForm } from './resolve-form'

interface Props {
  id: string
  onChanged: () => void
  onClose: () => void
}

/** A report with all that helps to judge it, and the judgement. */
export function ReportDrawer({ id, onChanged, onClose }: Props) {
  const t = useTranslations('reports.drawer')
  const detail = useServerData(['report', id], (signal) => getReport(id, signal))
  const handled = () => {
    detail.reload()
    onChanged()
  }
  return (
    <DetailDrawer
      name={t('name')}
      resource={detail}
      head={({ report }) => ({ title: t('title', { reference: report.reference }), description: readableUrl(report.shortUrl) })}
      onClose={onClose}
    >
      {(value) => <Inside detail={value} onHandled={handled} />}
    </DetailDrawer>
  )
}

function Inside({ detail, onHandled }: { detail: z.infer<typeof ReportDetail>; onHandled: () => void }) {
  const t = useTranslations('reports.drawer')
  const { report, others, history } = detail
  const moved = report.link !== null && report.link.url !== report.url
  return (
    <>
      <Destination url={report.url} {...(moved && { label: t('destinationThen') })} />
      {report.link && moved && (
        <div className="mt-3">
          <Destination url={report.link.url} label={t('destinationNow')} />
        </div>
      )}
      <Part title={t('reported')}>
        {report.details && <LongText className="my-2 bg-bg px-3.5 py-2.5 text-sm whitespace-pre-wrap">{report.details}</LongText>}
        <ReportFacts report={report} />
      </Part>
      {report.state === 'open' && (
        <Part title={t('decide')}>
          <ResolveForm
            key={report.id}
            report={report}
            openOthers={others.filter(({ state }) => state === 'open').length}
            onHandled={onHandled}
          />
        </Part>
      )}
      {others.length > 0 && (
        <Part title={t('others')}>
          <ReportLines reports={others} empty="" />
        </Part>
      )}
      <Part title={t('history')}>
        <History entries={history} />
      </Part>
    </>
  )
}

function ReportFacts({ report }: { report: ReportView }) {
  const t = useTranslations('reports.fact')
  const reason = useTranslations('report.reason')
  const { link } = report
  return (
    <Facts>
      <Fact name={t('reason')}>{reason(`${report.reason}.title`)}</Fact>
      <Fact name={t('state')}>
        <ReportState state={report.state} />
      </Fact>
      <TimeFact name={t('reported')} iso={report.createdAt} />
      <Fact name={t('reply')}>{report.email || t('noReply')}</Fact>
      <Fact name={t('link')}>
        {link && (
          <Link
            href={openPath('links', link.id)}
            prefetch={false}
            className="mr-2 text-accent underline-offset-4 hover:underline"
          >
            <bdi>{link.title || readableUrl(report.shortUrl)}</bdi>
          </Link>
        )}
        <LinkState link={link} />
      </Fact>
      <Fact name={t('domain')}>
        <bdi>{unicodeHost(new URL(report.shortUrl).host)}</bdi>
      </Fact>
      <Fact name={t('owner')}>{link?.owner ? <Account account={link.owner} /> : t('noOwner')}</Fact>
      {report.handledAt && (
        <>
          <TimeFact name={t('handled')} iso={report.handledAt} />
          <Fact name={t('handledBy')}>{report.handledBy ? <Account account={report.handledBy} /> : t('removedAccount')}</Fact>
        </>
      )}
      {report.answer && (
        <Fact name={t('answer')}>
          <bdi>{report.answer}</bdi>
        </Fact>
      )}
    </Facts>
  )
}

const Account = ({ account: { id, name, handle } }: { account: NonNullable<ReportView['handledBy']> }) => (
  <AccountLink id={id} name={name || handle} />
)
