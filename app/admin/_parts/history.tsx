import { useTranslations } from '#i18n'
import { QuietMoment } from '@/app/_ui/base/moment'
import type { AuditView } from '@/lib/audit/schemas'
import { AccountLink } from './account-link'
import { useActionName } from './action-names'

/** What admins did with something, the newest first as the server tells it. */
export function History({ entries }: { entries: readonly AuditView[] }) {
  const t = useTranslations('admin.history')
  const actionName = useActionName()
  if (entries.length === 0) return <p className="py-2 text-sm text-muted">{t('empty')}</p>
  return (
    <ol className="divide-y divide-line text-sm">
      {entries.map(({ id, at, actorId, actorName, action, details: { reason } }) => (
        <li key={id} className="py-2.5">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span className="font-medium">{actionName(action)}</span>
            <QuietMoment iso={at} exact />
          </div>
          <p className="text-[13px] text-muted text-anywhere">
            {t.rich('by', { who: () => <AccountLink key="who" id={actorId} name={actorName} /> })}
          </p>
          {typeof reason === 'string' && reason !== '' && (
            <p className="text-[13px] text-muted text-anywhere">
              <bdi>{reason}</bdi>
            </p>
          )}
        </li>
      ))}
    </ol>
  )
}
