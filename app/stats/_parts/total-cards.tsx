import { ArrowDown, ArrowUp } from 'lucide-react'
import { Amount } from '@/app/_ui/base/amount'
import { cx } from '@/app/_ui/base/cx'
import { formatCompact, formatNumber, formatShare } from '@/app/_ui/data/numbers'
import type { Stats, Totals } from '@/lib/stats/schemas'
import { rangeName } from './times'

const CARDS: { key: keyof Totals; name: string; hint: string }[] = [
  { key: 'clicks', name: 'Clicks', hint: 'Of people, bots and previews together' },
  { key: 'visitors', name: 'Visitors', hint: 'People, each counted once a day (UTC)' },
  { key: 'bots', name: 'Bots', hint: 'Clicks of crawlers and other programs' },
  { key: 'previews', name: 'Link previews', hint: 'Clicks of messengers and networks that show a preview' },
]

/** Bots and previews are counted by time only; under a filter, all that is counted are people. */
const UNFILTERED = new Set<keyof Totals>(['bots', 'previews'])

interface Props {
  stats: Stats
  filtered: boolean
}

export function TotalCards({ stats: { totals, previous, timezone }, filtered }: Props) {
  const before = previous && rangeName({ ...previous, timezone })
  return (
    <dl className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
      {CARDS.map(({ key, name, hint }) => (
        <div key={key} className="min-w-0 rounded-card border border-line bg-surface p-4 sm:p-5" title={hint}>
          <dt className="text-sm text-muted">{filtered && key === 'clicks' ? 'Clicks of people' : name}</dt>
          {filtered && UNFILTERED.has(key) ? (
            <dd className="mt-1">
              <span aria-hidden="true" className="block text-2xl font-semibold text-muted sm:text-3xl">
                –
              </span>
              <span className="mt-1 block text-[13px] text-muted">Not counted with filters</span>
            </dd>
          ) : (
            <dd className="mt-1">
              <Amount value={totals[key]} className="block text-2xl font-semibold tracking-tight tabular-nums sm:text-3xl" />
              {previous && <Change now={totals[key]} before={previous.totals[key]} period={before ?? ''} />}
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}

/** How a number compares with the period before. */
function Change({ now, before, period }: { now: number; before: number; period: string }) {
  const more = now > before
  const Icon = more ? ArrowUp : ArrowDown
  const title = `${formatNumber(before)} in ${period}`
  const line = 'mt-1 flex flex-wrap items-center gap-x-1 text-[13px] text-muted'
  if (now === before) {
    return (
      <span className={line} title={title}>
        Same as before
      </span>
    )
  }
  return (
    <span className={line} title={title}>
      <span className={cx('inline-flex items-center gap-0.5 font-medium', more ? 'text-ok' : 'text-fg')}>
        <Icon aria-hidden="true" className="size-3.5" />
        <span className="sr-only">{more ? 'up' : 'down'}</span>
        {before === 0 ? formatCompact(now) : growth(now, before)}
      </span>{' '}
      {before === 0 ? 'from none' : `from ${formatCompact(before)}`}
    </span>
  )
}

/** In per cent; a growth of many times over as such, since nobody reads 12,345 %. */
function growth(now: number, before: number): string {
  const ratio = Math.abs(now - before) / before
  return ratio >= 10 ? `${formatCompact(Math.round(now / before))}×` : formatShare(ratio, 1)
}
