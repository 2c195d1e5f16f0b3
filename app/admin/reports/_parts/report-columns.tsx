import { useTranslations } from '#i18n'
import { Badge } from '@/app/_ui/base/badge'
import type { Column } from '@/app/_ui/base/data-table'
import { QuietMoment } from '@/app/_ui/base/moment'
import { ShortName } from '@/app/_ui/base/short-name'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { ReportState } from '@/app/admin/_parts/report-state'
import { RowName } from '@/app/admin/_parts/row-name'
import type { ReportView } from '@/lib/reports/schemas'

export function useReportColumns(open: (id: string) => void): Column<ReportView>[] {
  const t = useTranslations('reports')
  const reason = useTranslations('report.reason')
  return [
    {
      key: 'link',
      title: t('column.link'),
      narrow: 'line',
      cell: (report) => (
        <RowName name={<ShortName name={readableUrl(report.shortUrl)} />} onOpen={() => open(report.id)}>
          <p className="truncate text-muted md:text-[13px]" title={report.url}>
            <bdi>{readableUrl(report.url)}</bdi>
          </p>
        </RowName>
      ),
    },
    {
      key: 'reason',
      title: t('column.reason'),
      narrow: 'bare',
      width: 'md:w-28 lg:w-36',
      cell: (report) => reason(`${report.reason}.title`),
    },
    {
      key: 'reference',
      title: t('column.reference'),
      narrow: 'bare',
      width: 'md:w-28 lg:w-32',
      cell: ({ reference }) => <span className="text-[13px] text-muted tabular-nums">{reference}</span>,
    },
    {
      key: 'state',
      title: t('column.state'),
      narrow: 'bare',
      width: 'md:w-32 lg:w-48',
      cell: (report) => <States report={report} />,
    },
    {
      key: 'created',
      title: t('column.reported'),
      narrow: 'bare',
      width: 'md:w-28 lg:w-32',
      cell: ({ createdAt }) => <QuietMoment iso={createdAt} />,
    },
  ]
}

function States({ report: { state, link, others } }: { report: ReportView }) {
  const t = useTranslations('reports')
  return (
    <span className="inline-flex flex-wrap gap-1">
      <ReportState state={state} />
      {link?.state !== 'active' && <LinkState link={link} />}
      {others > 0 && <Badge>{t('others', { count: others })}</Badge>}
    </span>
  )
}

/** What has become of the link that was reported. */
export function LinkState({ link }: Pick<ReportView, 'link'>) {
  const t = useTranslations('reports')
  return <Badge>{t(`linkState.${link?.state ?? 'gone'}`)}</Badge>
}
