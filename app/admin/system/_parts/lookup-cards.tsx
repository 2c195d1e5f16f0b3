import { useTranslations } from '#i18n'
import { Card } from '@/app/_ui/base/card'
import { useFormat } from '@/app/_ui/data/format'
import { Fact, Facts } from '@/app/admin/_parts/facts'
import { hitsOf } from '@/lib/overview/health'
import { CARDS } from './cards'
import { Figure, WorstState } from './figure'
import { Rebuild } from './rebuild'
import type { CardProps } from './service-cards'

const TIERS = ['memory', 'redis', 'filter', 'mysql', 'stale'] as const

/** Where the answers to requests for links come from. */
export function CacheCard({ system: { cache }, health }: CardProps) {
  const t = useTranslations('system')
  const format = useFormat()
  const { cached, total } = hitsOf(cache)
  return (
    <Card title={t('card.cache')} action={<WorstState of={CARDS.cache} health={health} />}>
      <Facts>
        <Figure name="hitRate" health={health}>
          {total === 0 ? t('cache.noRequests') : format.share(cached, total)}
        </Figure>
        {TIERS.map((tier) => (
          <Fact key={tier} name={t(`cache.tier.${tier}`)}>
            {t('cache.hits', { share: format.share(cache.hits[tier] ?? 0, total), count: format.number(cache.hits[tier] ?? 0) })}
          </Fact>
        ))}
        <Fact name={t('cache.entries')}>{format.number(cache.entries)}</Fact>
        <Fact name={t('cache.memory')}>
          {t('ofTotal', { used: format.bytes(cache.bytes), total: format.bytes(cache.limitBytes) })}
        </Fact>
      </Facts>
    </Card>
  )
}

/** The Bloom filter, which knows without MySQL that there is no such link. */
export function FilterCard({ system: { bloom, freed }, health }: CardProps) {
  const t = useTranslations('system')
  const format = useFormat()
  const kind = KINDS.find((known) => known === bloom.implementation)
  const seconds = secondsOf(freed.quarantine)
  return (
    <Card
      title={t('card.filter')}
      action={
        <span className="flex items-center gap-3">
          <WorstState of={CARDS.filter} health={health} />
          <Rebuild />
        </span>
      }
    >
      <Facts>
        <Figure name="filterState" health={health}>
          {bloom.trusted ? t('filter.verified') : t('filter.unverified', { trusted: bloom.trustedShards, total: bloom.shards })}
        </Figure>
        <Figure name="filterFill" health={health}>
          {t('shareOfTotal', {
            share: format.share(bloom.codes, bloom.capacity),
            used: format.number(bloom.codes),
            total: format.number(bloom.capacity),
          })}
        </Figure>
        <Figure name="falsePositives" health={health}>
          {t('filter.target', { share: format.share(bloom.estimatedError, 1), target: format.share(bloom.errorRate, 1) })}
        </Figure>
        <Fact name={t('filter.bits')}>{format.share(bloom.fill, 1)}</Fact>
        <Fact name={t('filter.growsTo')}>{t('filter.growsToLinks', { count: bloom.maxCapacity })}</Fact>
        <Fact name={t('filter.storage')}>{kind ? t(`filter.kind.${kind}`) : bloom.implementation}</Fact>
        <Fact name={t('filter.freed')}>
          {t('ofTotal', { used: format.number(freed.codes), total: format.number(freed.limit) })}
        </Fact>
        <Fact name={t('filter.reuse')}>
          {seconds === null ? t('filter.never') : seconds === 0 ? t('filter.atOnce') : format.span(seconds)}
        </Fact>
      </Facts>
    </Card>
  )
}

const KINDS = ['native', 'bitmap', 'none'] as const

const SECONDS: Partial<Record<string, number>> = { d: 86_400, h: 3_600, m: 60, s: 1 }

/** Of a duration as settings have it, such as `90d`; null: never. */
function secondsOf(duration: string): number | null {
  if (duration === 'never') return null
  return Number.parseInt(duration, 10) * (SECONDS[duration.slice(-1)] ?? 0)
}
