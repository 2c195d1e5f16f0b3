import { useTranslations } from '#i18n'
import { DayChart } from '@/app/_ui/base/day-chart'
import { Segments } from '@/app/_ui/base/segments'
import { showQuery, useAddressQuery } from '@/app/_ui/data/address'
import type { Overview } from '@/lib/overview/schemas'

type Days = Overview['clicksByDay']

const KINDS = ['people', 'bots'] as const

/** Clicks by day: of people, and those of bots one step away, which the address remembers. */
export function ClickDays({ days }: { days: Days }) {
  const t = useTranslations('overview')
  const params = new URLSearchParams(useAddressQuery())
  const bots = params.get('kind') === 'bots'
  const show = (kind: (typeof KINDS)[number]) => {
    const query = new URLSearchParams(params)
    if (kind === 'bots') query.set('kind', kind)
    else query.delete('kind')
    showQuery(query.toString())
  }
  const shown = bots ? days.map(({ day, bots: count }) => ({ day, count })) : days
  const total = shown.reduce((sum, { count }) => sum + count, 0)
  return (
    <DayChart
      title={t('clicks.byDay')}
      counted={t('clicks.title')}
      inWords={(count) => t('clicks.count', { count })}
      summary={t('clicks.summary', { count: total, days: days.length })}
      days={shown}
      action={
        <Segments
          label={t('clicks.of')}
          value={bots ? 'bots' : 'people'}
          options={KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
          onChange={show}
        />
      }
    />
  )
}

/** What was clicked in these days. */
export const totalsOf = (days: Days) =>
  days.reduce(
    (sum, { count, visitors, bots }) => ({
      clicks: sum.clicks + count,
      visitors: sum.visitors + visitors,
      bots: sum.bots + bots,
    }),
    { clicks: 0, visitors: 0, bots: 0 },
  )
