import { useTranslations } from '#i18n'
import { Card } from '@/app/_ui/base/card'
import { useFormat } from '@/app/_ui/data/format'
import { Fact, Facts } from '@/app/admin/_parts/facts'
import type { Health } from '@/lib/overview/health'
import type { SystemView } from '@/lib/overview/schemas'
import { CARDS } from './cards'
import { Figure, WorstState } from './figure'

export interface CardProps {
  system: SystemView
  health: Health
}

export function MysqlCard({ system: { mysql }, health }: CardProps) {
  const t = useTranslations('system')
  const format = useFormat()
  return (
    <Card title={t('card.mysql')} action={<WorstState of={CARDS.mysql} health={health} />}>
      <Facts>
        <Figure name="mysqlConnection" health={health}>
          {t(`connection.${connectionOf(mysql)}`)}
        </Figure>
        <Figure name="mysqlLatency" health={health}>
          {mysql.latency === null ? t('noAnswer') : format.ms(mysql.latency)}
        </Figure>
        <Figure name="mysqlPool" health={health}>
          {t('ofTotal', { used: format.number(mysql.inUse), total: format.number(mysql.poolSize) })}
        </Figure>
        <Fact name={t('version')}>{mysql.version || t('unknown')}</Fact>
      </Facts>
    </Card>
  )
}

export function RedisCard({ system: { redis }, health }: CardProps) {
  const t = useTranslations('system')
  const format = useFormat()
  const memory = format.bytes(redis.memory)
  return (
    <Card title={t('card.redis')} action={<WorstState of={CARDS.redis} health={health} />}>
      <Facts>
        <Figure name="redisConnection" health={health}>
          {t(`connection.${connectionOf(redis)}`)}
        </Figure>
        <Figure name="redisLatency" health={health}>
          {redis.latency === null ? t('noAnswer') : format.ms(redis.latency)}
        </Figure>
        <Figure name="redisMemory" health={health}>
          {redis.memoryLimit === 0 ? memory : t('ofTotal', { used: memory, total: format.bytes(redis.memoryLimit) })}
        </Figure>
        <Figure name="replication" health={health}>
          {redis.unheardChanges === 0 ? t('replication.done') : t('replication.waiting', { count: redis.unheardChanges })}
        </Figure>
        <Fact name={t('version')}>{redis.version || t('unknown')}</Fact>
      </Facts>
    </Card>
  )
}

function connectionOf({ up, breaker }: Pick<SystemView['mysql'], 'up' | 'breaker'>): 'up' | 'recovering' | 'down' {
  if (!up) return 'down'
  return breaker === 'closed' ? 'up' : 'recovering'
}

export function ClicksCard({ system: { clicks }, health }: CardProps) {
  const t = useTranslations('system')
  const format = useFormat()
  return (
    <Card title={t('card.clicks')} action={<WorstState of={CARDS.clicks} health={health} />}>
      <Facts>
        <Figure name="queueDepth" health={health}>
          {t('queue.depth', { count: clicks.waitingBatches })}
        </Figure>
        <Fact name={t('queue.size')}>
          {t('ofTotal', { used: format.bytes(clicks.waitingBytes), total: format.bytes(clicks.limitBytes) })}
        </Fact>
        <Figure name="countingDelay" health={health}>
          {clicks.lag === null ? t('queue.noDelay') : format.span(clicks.lag)}
        </Figure>
        <Figure name="failedBatches" health={health}>
          {format.number(clicks.deadLetters)}
        </Figure>
      </Facts>
    </Card>
  )
}

export function ProcessCard({ system: { process } }: Pick<CardProps, 'system'>) {
  const t = useTranslations('system')
  const format = useFormat()
  return (
    <Card title={t('card.process')}>
      <Facts>
        <Fact name={t('process.uptime')}>{format.span(process.uptime)}</Fact>
        <Fact name={t('process.memory')}>{format.bytes(process.memory)}</Fact>
        <Fact name={t('process.pid')}>{process.pid}</Fact>
        <Fact name={t('process.terse')}>{process.version}</Fact>
        <Fact name={t('process.node')}>{process.node}</Fact>
      </Facts>
    </Card>
  )
}
