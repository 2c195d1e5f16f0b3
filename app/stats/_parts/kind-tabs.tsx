import { useTranslations } from '#i18n'
import { cx } from '@/app/_ui/base/cx'
import { useFormat } from '@/app/_ui/data/format'
import { CLICK_KINDS, type ClickKind } from '@/lib/clicks/dimensions'
import type { Stats } from '@/lib/stats/schemas'
import { rangeName, zoneName } from './times'
import type { ViewControl } from './use-view'

/** Whose clicks the page shows: people first, bots and previews one step away. */
export function KindTabs({ stats, control: { view, change } }: { stats: Stats; control: ViewControl }) {
  const t = useTranslations('stats')
  const format = useFormat()
  const { totals } = stats
  // Under a filter only the kind that is shown is counted.
  const counts: Partial<Record<ClickKind, number>> =
    Object.keys(view.filters).length > 0 ? {} : { bot: totals.bots, preview: totals.previews }
  return (
    <div className="mt-4 flex flex-col-reverse gap-x-4 gap-y-2 border-b border-line md:flex-row md:items-center md:justify-between">
      <fieldset className="-mb-px flex min-w-0 gap-1 overflow-x-auto overflow-y-hidden">
        <legend className="sr-only">{t('kind.label')}</legend>
        {CLICK_KINDS.map((kind) => (
          <button
            key={kind}
            type="button"
            aria-pressed={view.kind === kind}
            onClick={() => change({ kind })}
            className={cx(
              'inline-flex h-11 items-center gap-2 border-b-2 px-3 text-sm font-medium whitespace-nowrap focus-visible:-outline-offset-2 sm:h-10',
              view.kind === kind ? 'border-accent text-fg' : 'border-transparent text-muted hover:text-fg',
            )}
          >
            {t(`kind.${kind}.many`)}
            {counts[kind] !== undefined && (
              <span className="rounded-full bg-bg px-1.5 py-px text-xs text-muted tabular-nums">
                {format.compact(counts[kind])}
              </span>
            )}
          </button>
        ))}
      </fieldset>
      <p className="text-[13px] text-muted">
        {t('range.shown', { range: rangeName(stats, format), zone: zoneName(stats.timezone) })}
      </p>
    </div>
  )
}
