import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from '#i18n'
import { Amount } from '@/app/_ui/base/amount'
import { cx } from '@/app/_ui/base/cx'
import { Hint } from '@/app/_ui/base/hint'
import { useFormat } from '@/app/_ui/data/format'
import type { ClickKind } from '@/lib/clicks/dimensions'
import type { Format } from '@/lib/i18n/format'
import type { ScopeStats } from '@/lib/scopes/schemas'
import type { Stats } from '@/lib/stats/schemas'
import { rateText, revenueText } from './revenue'
import { rangeName } from './times'

/** The numbers of the range, and how they compare. */
export function Headline({ stats, kind }: { stats: Stats | ScopeStats; kind: ClickKind }) {
  const { totals, previous, timezone } = stats
  const t = useTranslations('stats')
  const format = useFormat()
  const before = previous && rangeName({ ...previous, timezone }, format)
  const isMany = 'links' in stats
  const hint = isMany ? t(`scope.definition.${kind}`) : t(`definition.${kind}`)
  const visitors = isMany
    ? ({ key: 'visitors', name: t('scope.visitors'), hint: t('scope.definition.visitors') } as const)
    : ({ key: 'visitors', name: t('visitors'), hint: t('definition.visitors') } as const)
  const numbers = [{ key: 'clicks', name: t(`kind.${kind}.clicks`), hint } as const]
  const all = kind === 'person' ? [...numbers, visitors] : numbers
  return (
    <dl className="mb-5 flex flex-wrap gap-x-12 gap-y-4">
      {all.map(({ key, name, hint }) => (
        <div key={key} className="min-w-28">
          <dt className="flex items-center gap-1 text-sm text-muted">
            {name}
            <Hint about={name}>{hint}</Hint>
          </dt>
          <dd className="mt-0.5">
            <Amount value={totals[key]} className="block text-3xl font-semibold tracking-tight tabular-nums sm:text-4xl" />
            {previous && (
              <Change now={totals[key]} before={previous.totals[key]} period={before ?? ''} isGood={kind === 'person'} />
            )}
          </dd>
        </div>
      ))}
      {kind === 'person' && <Converted stats={stats} before={before} />}
    </dl>
  )
}

/** What was reported of these clicks, where anything ever was in what is shown. */
function Converted({ stats: { conversions }, before }: { stats: Stats | ScopeStats; before: string | null }) {
  const t = useTranslations('stats.conversions')
  const format = useFormat()
  if (!conversions) return null
  const { conversions: count, rate, revenue, previous } = conversions
  if (count === 0 && revenue.length === 0 && !previous?.conversions) return null
  const big = 'block text-3xl font-semibold tracking-tight tabular-nums sm:text-4xl'
  return (
    <>
      <div className="min-w-28">
        <dt className="flex items-center gap-1 text-sm text-muted">
          {t('title')}
          <Hint about={t('title')}>{t('definition')}</Hint>
        </dt>
        <dd className="mt-0.5">
          <Amount value={count} className={big} />
          {previous && <Change now={count} before={previous.conversions} period={before ?? ''} isGood />}
        </dd>
      </div>
      <div className="min-w-28">
        <dt className="flex items-center gap-1 text-sm text-muted">
          {t('rate')}
          <Hint about={t('rate')}>{t('rateDefinition')}</Hint>
        </dt>
        <dd className={cx('mt-0.5', big)}>{rate === null ? '–' : rateText(rate, format)}</dd>
      </div>
      {revenue.length > 0 && (
        <div className="min-w-28">
          <dt className="flex items-center gap-1 text-sm text-muted">
            {t('revenue')}
            <Hint about={t('revenue')}>{t('revenueDefinition')}</Hint>
          </dt>
          {revenue.map((sum) => (
            <dd key={sum.currency} className={cx('mt-0.5', revenue.length === 1 ? big : 'text-xl font-semibold tabular-nums')}>
              {revenueText(sum, format)}
            </dd>
          ))}
        </div>
      )}
    </>
  )
}

interface ChangeProps {
  now: number
  before: number
  period: string
  /** More is better: of people it is, of bots it is not. */
  isGood: boolean
}

/** How a number compares with the one of another period. */
function Change({ now, before, period, isGood }: ChangeProps) {
  const t = useTranslations('stats')
  const format = useFormat()
  const more = now > before
  const Icon = more ? ArrowUp : ArrowDown
  const title = t('change.before', { period, before: format.number(before) })
  const line = 'mt-1 flex flex-wrap items-center gap-x-1 text-[13px] text-muted'
  if (now === before) {
    return (
      <span className={line} title={title}>
        {t('change.none')}
      </span>
    )
  }
  const words = {
    amount: before === 0 ? format.compact(now) : growth(now, before, format),
    before: format.compact(before),
    hidden: (word: ReactNode) => <span className="sr-only">{word}</span>,
    change: (amount: ReactNode) => (
      <span className={cx('inline-flex items-center gap-0.5 font-medium', more && isGood ? 'text-ok' : 'text-fg')}>
        <Icon aria-hidden="true" className="size-3.5" />
        {amount}
      </span>
    ),
  }
  return (
    <span className={line} title={title}>
      {t.rich(more ? 'change.up' : 'change.down', words)}
    </span>
  )
}

/** In per cent; a growth of many times over as such, since nobody reads 12,345 %. */
function growth(now: number, before: number, format: Format): string {
  const ratio = Math.abs(now - before) / before
  return ratio >= 10 ? `${format.compact(Math.round(now / before))}×` : format.share(ratio, 1)
}
