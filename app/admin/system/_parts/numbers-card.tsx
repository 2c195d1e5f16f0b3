import { useTranslations } from '#i18n'
import { Card } from '@/app/_ui/base/card'
import { useFormat } from '@/app/_ui/data/format'
import { Facts } from '@/app/admin/_parts/facts'
import type { Health } from '@/lib/overview/health'
import type { SystemView } from '@/lib/overview/schemas'
import { CARDS } from './cards'
import { Figure, WorstState } from './figure'
import type { CardProps } from './service-cards'

type System = SystemView['ids'][number]
type Part = System['parts'][number]

const FIGURES = { handle: 'handles', spoken: 'spoken', reference: 'references', job: 'jobs' } as const

/** How many of the numbers that Terse issues are in use. */
export function NumbersCard({ system: { ids }, health }: CardProps) {
  const t = useTranslations('system')
  return (
    <Card title={t('card.numbers')} action={<WorstState of={CARDS.numbers} health={health} />} className="md:col-span-2">
      <Facts>
        {ids.map((system) => (
          <Numbers key={system.name} system={system} health={health} />
        ))}
      </Facts>
    </Card>
  )
}

function Numbers({ system, health }: { system: System; health: Health }) {
  const t = useTranslations('system.numbers')
  const none = system.up ? t('none') : t('unavailable')
  return (
    <Figure name={FIGURES[system.name]} health={health}>
      {system.parts.length === 0 ? none : system.parts.map((part) => <Line key={part.part} kind={system.name} part={part} />)}
    </Figure>
  )
}

function Line({ kind, part: { part, used, capacity, last } }: { kind: System['name']; part: Part }) {
  const t = useTranslations('system')
  const format = useFormat()
  const count = format.number(used)
  return (
    <span className="block">
      <span className="text-muted">{useRange(kind, part)}</span>{' '}
      {capacity === null
        ? count
        : t('shareOfTotal', { share: format.share(used, capacity), used: count, total: format.number(capacity) })}
      {last !== null && <span className="block text-[13px] text-muted">{t('numbers.last', { number: last })}</span>}
    </span>
  )
}

/** Numbers of one segment of handles. */
const SEGMENT = 10_000_000

/** Which numbers a part has. */
function useRange(kind: System['name'], part: string): string {
  const t = useTranslations('system.numbers')
  const format = useFormat()
  const number = Number(part)
  if (kind === 'handle') return t('range', { from: (number + 1) * SEGMENT, to: (number + 2) * SEGMENT - 1 })
  if (kind === 'spoken') return t('digits', { count: number })
  return format.date(part)
}
