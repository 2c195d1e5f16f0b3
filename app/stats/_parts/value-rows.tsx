import { useTranslations } from '#i18n'
import { Amount } from '@/app/_ui/base/amount'
import { cx } from '@/app/_ui/base/cx'
import { useFormat } from '@/app/_ui/data/format'
import type { Dimension } from '@/lib/clicks/dimensions'
import type { Share, Stats } from '@/lib/stats/schemas'
import type { Facet } from '@/lib/stats/values'
import { Flag } from './flag'
import { useValueName } from './labels'
import type { ViewControl } from './use-view'

interface Props {
  facet: Facet
  values: Share[]
  /** Clicks of values beyond those, where there are any: they cannot be filtered by. */
  others?: Stats['others'][Dimension] | undefined
  /** All clicks, of which these are shares. */
  total: number
  control: ViewControl
  onChosen?: () => void
}

/** Values with their counts; each filters the page by itself, or no longer does. */
export function ValueRows({ facet, values, others, total, control, onChosen }: Props) {
  const t = useTranslations('stats')
  const format = useFormat()
  const valueName = useValueName()
  const most = Math.max(1, others?.clicks ?? 0, ...values.map(({ clicks }) => clicks))
  const chosen = control.view.filters[facet]
  const choose = (value: string) => {
    control.toggle(facet, value)
    onChosen?.()
  }
  return (
    <ul aria-label={t(`facet.${facet}`)} className="space-y-0.5">
      {values.map(({ value, clicks, visitors }) => {
        const name = valueName(facet, value)
        const counts = visitors > 0 ? t('value.clicksAndVisitors', { clicks, visitors }) : t('value.clicks', { clicks })
        return (
          <li key={value}>
            <button
              type="button"
              aria-pressed={chosen === value}
              onClick={() => choose(value)}
              title={`${value || name}\n${counts}`}
              className={cx(
                'group relative isolate flex h-11 w-full items-center gap-3 overflow-hidden rounded-[7px] px-2.5 text-left text-sm sm:h-8',
                chosen === value ? 'outline-2 -outline-offset-2 outline-accent' : 'hover:bg-bg',
              )}
            >
              <Bar share={clicks / most} />
              {facet === 'country' && <Flag code={value} />}
              <span className={cx('min-w-0 flex-1 truncate', value === '' && 'text-muted')}>
                <bdi>{name}</bdi>
              </span>
              {facet === 'destination' && visitors > 0 && (
                <span className="hidden shrink-0 text-muted tabular-nums sm:inline">
                  {t('value.perVisitor', { ratio: format.ratio(clicks, visitors) })}
                </span>
              )}
              <Amount value={clicks} className="shrink-0 font-medium tabular-nums" />
              <span className="w-11 shrink-0 text-right text-muted tabular-nums">{format.share(clicks, total)}</span>
            </button>
          </li>
        )
      })}
      {others && (
        <li
          title={t('value.otherClicks', { clicks: others.clicks })}
          className="relative isolate flex h-11 items-center gap-3 overflow-hidden rounded-[7px] px-2.5 text-sm sm:h-8"
        >
          <Bar share={others.clicks / most} />
          <span className="min-w-0 flex-1 truncate text-muted">{t('value.other')}</span>
          <Amount value={others.clicks} className="shrink-0 font-medium tabular-nums" />
          <span className="w-11 shrink-0 text-right text-muted tabular-nums">{format.share(others.clicks, total)}</span>
        </li>
      )}
    </ul>
  )
}

/** @param share of the longest bar, 0 to 1 */
function Bar({ share }: { share: number }) {
  return (
    <span
      aria-hidden="true"
      className="absolute inset-y-0 left-0 -z-10 rounded-[7px] bg-accent-soft"
      style={{ width: `${100 * share}%` }}
    />
  )
}
