import { DayChart } from '@/app/_ui/base/day-chart'
import { Segments } from '@/app/_ui/base/segments'
import { showQuery, useAddressQuery } from '@/app/_ui/data/address'
import { formatCount } from '@/app/_ui/data/time'
import type { Overview } from '@/lib/overview/schemas'

type Days = Overview['clicksByDay']

const KINDS = [
  { value: 'people', label: 'People' },
  { value: 'bots', label: 'Bots' },
] as const

const inWords = (count: number) => formatCount(count, 'click', 'clicks')

/** Clicks by day: of people, and those of bots one step away, which the address remembers. */
export function ClickDays({ days }: { days: Days }) {
  const params = new URLSearchParams(useAddressQuery())
  const bots = params.get('kind') === 'bots'
  const show = (kind: (typeof KINDS)[number]['value']) => {
    const query = new URLSearchParams(params)
    if (kind === 'bots') query.set('kind', kind)
    else query.delete('kind')
    showQuery(query.toString())
  }
  const shown = bots ? days.map(({ day, bots: count }) => ({ day, count })) : days
  return (
    <DayChart
      title="Clicks by day"
      counted="Clicks"
      inWords={inWords}
      summary={`${inWords(shown.reduce((sum, { count }) => sum + count, 0))} in ${days.length} days`}
      days={shown}
      action={<Segments label="Clicks by" value={bots ? 'bots' : 'people'} options={KINDS} onChange={show} />}
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

export const CLICKS_HINT = 'Each time a person followed a link. Bots and link previews are counted on their own.'
export const VISITORS_HINT =
  'Different people per link and day. Someone who clicks the same link twice on one day is one visitor. Days are those of UTC.'
