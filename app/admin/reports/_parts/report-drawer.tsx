'use client'

import Link from 'next/link'
import type { z } from 'zod'
import { Moment } from '@/app/_ui/base/moment'
import { getReport } from '@/app/_ui/data/admin'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { useServerData } from '@/app/_ui/data/server-data'
import { Destination } from '@/app/admin/_parts/destination'
import { DetailDrawer } from '@/app/admin/_parts/detail-drawer'
import { Fact, Facts, Part, TimeFact } from '@/app/admin/_parts/facts'
import { History } from '@/app/admin/_parts/history'
import { LongText } from '@/app/admin/_parts/long-text'
import { ReportLines } from '@/app/admin/_parts/report-lines'
import { REASONS } from '@/app/admin/_parts/report-names'
import { ReportState } from '@/app/admin/_parts/report-state'
import { openPath } from '@/app/admin/_parts/use-open-row'
import type { ReportDetail, ReportView } from '@/lib/reports/schemas'
import { linkState } from './report-columns'
import { ResolveForm } from './resolve-form'

interface Props {
  id: string
  onChanged: () => void
  onClose: () => void
}

/** A report with all that helps to judge it, and the judgement. */
export function ReportDrawer({ id, onChanged, onClose }: Props) {
  const detail = useServerData(['report', id], (signal) => getReport(id, signal))
  const handled = () => {
    detail.reload()
    onChanged()
  }
  return (
    <DetailDrawer
      name="Report"
      resource={detail}
      head={({ report }) => ({ title: `Report ${report.reference}`, description: readableUrl(report.shortUrl) })}
      onClose={onClose}
    >
      {(value) => <Inside detail={value} onHandled={handled} />}
    </DetailDrawer>
  )
}

function Inside({ detail, onHandled }: { detail: z.infer<typeof ReportDetail>; onHandled: () => void }) {
  const { report, others, history } = detail
  const moved = report.link !== null && report.link.url !== report.url
  return (
    <>
      <Destination url={report.url} label={moved ? 'Led to, when it was reported' : 'Leads to'} />
      {report.link && moved && (
        <div className="mt-3">
          <Destination url={report.link.url} label="Leads to now" />
        </div>
      )}
      <Part title="What was reported">
        {report.details && <LongText className="my-2 bg-bg px-3.5 py-2.5 text-sm whitespace-pre-wrap">{report.details}</LongText>}
        <ReportFacts report={report} />
      </Part>
      {report.state === 'open' && (
        <Part title="Decide">
          <ResolveForm
            key={report.id}
            report={report}
            openOthers={others.filter(({ state }) => state === 'open').length}
            onHandled={onHandled}
          />
        </Part>
      )}
      {others.length > 0 && (
        <Part title="Other reports of this link">
          <ReportLines reports={others} empty="" />
        </Part>
      )}
      <Part title="What admins did">
        <History entries={history} />
      </Part>
    </>
  )
}

function ReportFacts({ report }: { report: ReportView }) {
  const { link } = report
  return (
    <Facts>
      <Fact name="Reason">{REASONS[report.reason]}</Fact>
      <Fact name="State">
        <ReportState state={report.state} />
      </Fact>
      <TimeFact name="Reported" iso={report.createdAt} />
      <Fact name="Answer goes to">{report.email || 'Nobody: no address was given'}</Fact>
      <Fact name="The link now">
        {link ? (
          <Link href={openPath('links', link.id)} prefetch={false} className="text-accent underline-offset-4 hover:underline">
            {linkState(link.state)}
          </Link>
        ) : (
          'Gone for good'
        )}
      </Fact>
      <Fact name="Owner">{link?.owner ? <bdi>{link.owner}</bdi> : 'No account'}</Fact>
      {report.handledAt && (
        <Fact name="Handled">
          {report.handledBy && (
            <>
              by <bdi>{report.handledBy}</bdi>,{' '}
            </>
          )}
          <Moment iso={report.handledAt} exact />
        </Fact>
      )}
      {report.answer && (
        <Fact name="Answer">
          <bdi>{report.answer}</bdi>
        </Fact>
      )}
    </Facts>
  )
}
