import Link from 'next/link'
import { QuietMoment } from '@/app/_ui/base/moment'
import type { AuditView } from '@/lib/audit/schemas'
import { actionName } from './action-names'
import { openPath } from './use-open-row'

/** What admins did with something, the newest first as the server tells it. */
export function History({ entries }: { entries: readonly AuditView[] }) {
  if (entries.length === 0) return <p className="py-2 text-sm text-muted">Nothing yet.</p>
  return (
    <ol className="divide-y divide-line text-sm">
      {entries.map(({ id, at, actor, actorId, action, details }) => (
        <li key={id} className="py-2.5">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span className="font-medium">{actionName(action)}</span>
            <QuietMoment iso={at} exact />
          </div>
          <p className="text-[13px] text-muted text-anywhere">
            <Link
              href={openPath('accounts', actorId)}
              prefetch={false}
              className="underline-offset-4 hover:text-accent hover:underline"
            >
              <bdi>{actor}</bdi>
            </Link>
            {typeof details.reason === 'string' && details.reason !== '' && (
              <>
                : <bdi>{details.reason}</bdi>
              </>
            )}
          </p>
        </li>
      ))}
    </ol>
  )
}
