import { Badge } from '@/app/_ui/base/badge'
import type { Column } from '@/app/_ui/base/data-table'
import { QuietMoment } from '@/app/_ui/base/moment'
import { formatNumber } from '@/app/_ui/data/numbers'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { LINK_STATE_NAMES, REASONS } from '@/app/admin/_parts/report-names'
import { ReportState } from '@/app/admin/_parts/report-state'
import { RowName } from '@/app/admin/_parts/row-name'
import type { ReportView } from '@/lib/reports/schemas'

export function reportColumns(open: (id: string) => void): Column<ReportView>[] {
  return [
    {
      key: 'link',
      title: 'Link',
      narrow: 'line',
      cell: (report) => (
        <RowName name={readableUrl(report.shortUrl)} onOpen={() => open(report.id)}>
          <p className="truncate text-muted md:text-[13px]" title={report.url}>
            <bdi>{readableUrl(report.url)}</bdi>
          </p>
        </RowName>
      ),
    },
    { key: 'reason', title: 'Reason', narrow: 'bare', width: 'md:w-36', cell: ({ reason }) => REASONS[reason] },
    {
      key: 'reference',
      title: 'Reference',
      narrow: 'bare',
      width: 'md:w-32',
      cell: ({ reference }) => <span className="text-[13px] text-muted tabular-nums">{reference}</span>,
    },
    { key: 'state', title: 'State', narrow: 'bare', width: 'md:w-40', cell: (report) => <States report={report} /> },
    {
      key: 'created',
      title: 'Reported',
      narrow: 'bare',
      width: 'md:w-32',
      cell: ({ createdAt }) => <QuietMoment iso={createdAt} />,
    },
  ]
}

function States({ report: { state, link, others } }: { report: ReportView }) {
  return (
    <span className="inline-flex flex-wrap gap-1">
      <ReportState state={state} />
      {link === null && <Badge>Link gone</Badge>}
      {link && link.state !== 'active' && <Badge>Link {linkState(link.state).toLowerCase()}</Badge>}
      {others > 0 && <Badge>+{formatNumber(others)} more</Badge>}
    </span>
  )
}

export const linkState = (state: string) => LINK_STATE_NAMES[state] ?? state
