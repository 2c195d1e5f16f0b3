import type { ReactNode } from 'react'
import { useTranslations } from '#i18n'
import { Amount } from '@/app/_ui/base/amount'
import { Card } from '@/app/_ui/base/card'
import { useFormat } from '@/app/_ui/data/format'
import { readableUrl } from '@/app/_ui/data/readable-url'
import type { Stats } from '@/lib/stats/schemas'
import { rateText, revenueText } from './revenue'

/** What was reported of clicks, by what happened and by where they led. */
export function ConversionsCard({ stats: { conversions } }: { stats: Stats }) {
  const t = useTranslations('stats.conversions')
  const format = useFormat()
  if (!conversions || conversions.names.length === 0) return null
  const { names, destinations } = conversions
  return (
    <Card title={t('title')} hint={t('definition')}>
      <div className="grid gap-x-8 gap-y-5 lg:grid-cols-2">
        <Rows title={t('events')}>
          {names.map(({ name, conversions: count, revenue }) => (
            <Row key={name} name={name || t('unnamed')} count={count} revenue={revenue} />
          ))}
        </Rows>
        {destinations.length > 0 && (
          <Rows title={t('destinations')}>
            {destinations.map(({ value, conversions: count, rate, revenue }) => (
              <Row
                key={value}
                name={readableUrl(value)}
                count={count}
                revenue={revenue}
                aside={rate === null ? '' : t('converted', { rate: rateText(rate, format) })}
              />
            ))}
          </Rows>
        )}
      </div>
    </Card>
  )
}

function Rows({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="min-w-0">
      <h3 className="mb-1 text-[13px] text-muted">{title}</h3>
      <ul aria-label={title} className="divide-y divide-line">
        {children}
      </ul>
    </section>
  )
}

interface RowProps {
  name: string
  count: number
  revenue: { currency: string; value: string }[]
  aside?: string
}

function Row({ name, count, revenue, aside = '' }: RowProps) {
  const format = useFormat()
  const details = [aside, ...revenue.map((sum) => revenueText(sum, format))].filter((text) => text !== '')
  return (
    <li className="py-2 text-sm">
      <div className="flex items-baseline gap-4">
        <span className="min-w-0 flex-1 truncate" title={name}>
          <bdi>{name}</bdi>
        </span>
        <Amount value={count} className="font-medium tabular-nums" />
      </div>
      {details.length > 0 && <p className="text-[13px] text-muted tabular-nums">{details.join(' · ')}</p>}
    </li>
  )
}
