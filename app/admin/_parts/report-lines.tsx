import Link from 'next/link'
import { useTranslations } from '#i18n'
import { Moment } from '@/app/_ui/base/moment'
import type { ReportView } from '@/lib/reports/schemas'
import { ReportState } from './report-state'
import { openPath } from './use-open-row'

/** Reports in a line each, leading to them. */
export function ReportLines({ reports, empty }: { reports: readonly ReportView[]; empty: string }) {
  const t = useTranslations('report.reason')
  if (reports.length === 0) return <p className="py-2 text-sm text-muted">{empty}</p>
  return (
    <ul className="divide-y divide-line text-sm">
      {reports.map(({ id, reference, reason, state, createdAt, details }) => (
        <li key={id} className="py-2.5">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Link
              href={openPath('reports', id)}
              prefetch={false}
              className="font-medium text-accent tabular-nums underline-offset-4 hover:underline"
            >
              {reference}
            </Link>
            <span>{t(`${reason}.title`)}</span>
            <ReportState state={state} />
            <span className="ml-auto text-[13px] text-muted">
              <Moment iso={createdAt} />
            </span>
          </div>
          {details && (
            <p className="mt-0.5 line-clamp-2 text-[13px] text-muted text-anywhere">
              <bdi>{details}</bdi>
            </p>
          )}
        </li>
      ))}
    </ul>
  )
}
