import { Badge } from '@/app/_ui/base/badge'
import { Card } from '@/app/_ui/base/card'
import { formatNumber, formatShare } from '@/app/_ui/data/numbers'
import { Fact, Facts } from '@/app/admin/_parts/facts'
import type { SystemView } from '@/lib/overview/schemas'
import { FILTER_KINDS, ID_NAMES, quarantineText, TIER_NAMES } from './names'
import { Rebuild } from './rebuild'

export function CacheCard({ cache: { entries, capacity, hits } }: Pick<SystemView, 'cache'>) {
  const tiers = Object.entries(hits)
  const total = tiers.reduce((sum, [, count]) => sum + count, 0)
  return (
    <Card title="Where codes are found">
      <Facts>
        {tiers.map(([tier, count]) => (
          <Fact key={tier} name={TIER_NAMES[tier] ?? tier}>
            {total === 0 ? 'None yet' : `${formatShare(count, total)} (${formatNumber(count)})`}
          </Fact>
        ))}
        <Fact name="Links in memory">
          {formatNumber(entries)} of {formatNumber(capacity)}
        </Fact>
      </Facts>
    </Card>
  )
}

export function CodesCard({ bloom, freed }: Pick<SystemView, 'bloom' | 'freed'>) {
  return (
    <Card
      title="Code filter"
      action={
        <span className="flex items-center gap-3">
          {bloom.trusted ? <Badge tone="ok">Trusted</Badge> : <Badge tone="warn">Not trusted</Badge>}
          <Rebuild />
        </span>
      }
    >
      <Facts>
        <Fact name="Codes">
          {formatNumber(bloom.codes)} of {formatNumber(bloom.capacity)}
        </Fact>
        <Fact name="Grows by itself to">{formatNumber(bloom.maxCapacity)}</Fact>
        <Fact name="Bits that are set">{formatShare(bloom.fill, 1)}</Fact>
        <Fact name="Wrong about unknown codes">
          {formatShare(bloom.estimatedError, 1)}; at most {formatShare(bloom.errorRate, 1)} was asked for
        </Fact>
        <Fact name="Kept by">{FILTER_KINDS[bloom.implementation] ?? bloom.implementation}</Fact>
        <Fact name="Trusted parts">
          {formatNumber(bloom.trustedShards)} of {formatNumber(bloom.shards)}
        </Fact>
        <Fact name="Freed codes">
          {formatNumber(freed.codes)} of at most {formatNumber(freed.limit)}
        </Fact>
        <Fact name="Given away again after">{quarantineText(freed.quarantine)}</Fact>
      </Facts>
    </Card>
  )
}

export function IdsCard({ ids }: Pick<SystemView, 'ids'>) {
  return (
    <Card title="Numbers that are given out" className="md:col-span-2">
      <div className="grid gap-x-8 gap-y-5 md:grid-cols-2">
        {ids.map((system) => (
          <section key={system.name} aria-label={ID_NAMES[system.name]}>
            <h3 className="flex items-center justify-between text-sm font-medium">
              {ID_NAMES[system.name]}
              {!system.up && <Badge tone="danger">Not reached</Badge>}
            </h3>
            {system.parts.length === 0 ? (
              <p className="py-2.5 text-sm text-muted">{system.up ? 'None given out yet.' : 'Redis does not answer.'}</p>
            ) : (
              <Facts>
                {system.parts.map((part) => (
                  <Fact key={part.part} name={part.part}>
                    {fillText(part)}
                    {part.last !== null && <span className="block text-[13px] text-muted">last {part.last}</span>}
                  </Fact>
                ))}
              </Facts>
            )}
          </section>
        ))}
      </div>
    </Card>
  )
}

function fillText({ used, capacity }: SystemView['ids'][number]['parts'][number]): string {
  if (capacity === null) return formatNumber(used)
  return `${formatNumber(used)} of ${formatNumber(capacity)} (${formatShare(used, capacity)})`
}
