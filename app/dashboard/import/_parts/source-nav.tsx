import { useTranslations } from '#i18n'
import { cx } from '@/app/_ui/base/cx'
import { KEYLESS, LIVE_FROM, MOVED_FROM, type MovedFrom } from '@/lib/movers/sources'

/** Where links come from; null: a list with the columns of this site. */
export type From = MovedFrom | null

export const canBeAsked = (from: From): boolean => (LIVE_FROM as readonly From[]).includes(from)

const PATH = '/dashboard/import'

interface Props {
  from: From
  isLive: boolean
}

/** What links can come from, and how: each choice is a page of its own, which needs no scripts. */
export function SourceNav({ from, isLive }: Props) {
  const t = useTranslations('dashboard.import')
  const all = [null, ...MOVED_FROM] as const
  return (
    <>
      <nav aria-label={t('from')}>
        <p className="mb-2 text-sm font-medium">{t('from')}</p>
        <ul className="flex flex-wrap gap-2">
          {all.map((one) => (
            <li key={one}>
              <Choice href={one === null ? PATH : `${PATH}?from=${one}`} isChosen={one === from}>
                {t(`kind.${one ?? 'ours'}`)}
              </Choice>
            </li>
          ))}
        </ul>
      </nav>
      {canBeAsked(from) && (
        <nav aria-label={t('way.label')} className="flex flex-wrap gap-2">
          <Choice href={`${PATH}?from=${from}`} isChosen={!isLive}>
            {t('way.file')}
          </Choice>
          <Choice href={`${PATH}?from=${from}&by=api`} isChosen={isLive}>
            {t(KEYLESS.some((one) => one === from) ? 'way.address' : 'way.api')}
          </Choice>
        </nav>
      )}
    </>
  )
}

function Choice({ href, isChosen, children }: { href: string; isChosen: boolean; children: string }) {
  return (
    <a
      href={href}
      aria-current={isChosen ? 'page' : undefined}
      className={cx(
        'inline-flex min-h-11 items-center rounded-control border px-3 py-1.5 text-sm sm:min-h-9',
        isChosen ? 'border-accent bg-accent-soft font-medium text-accent' : 'border-line-strong hover:bg-bg',
      )}
    >
      {children}
    </a>
  )
}
