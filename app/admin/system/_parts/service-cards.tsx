import { Badge } from '@/app/_ui/base/badge'
import { Card } from '@/app/_ui/base/card'
import { formatBytes, formatMs, formatNumber, formatSpan } from '@/app/_ui/data/numbers'
import { Fact, Facts } from '@/app/admin/_parts/facts'
import type { SystemView } from '@/lib/overview/schemas'
import { BREAKERS } from './names'

function UpBadge({ up, breaker }: Pick<SystemView['mysql'], 'up' | 'breaker'>) {
  if (!up) return <Badge tone="danger">Down</Badge>
  return breaker === 'closed' ? <Badge tone="ok">Up</Badge> : <Badge tone="warn">Recovering</Badge>
}

const latencyText = (latency: number | null) => (latency === null ? 'No answer' : formatMs(latency))

export function MysqlCard({ mysql }: Pick<SystemView, 'mysql'>) {
  return (
    <Card title="MySQL" action={<UpBadge {...mysql} />}>
      <Facts>
        <Fact name="Answers within">{latencyText(mysql.latency)}</Fact>
        <Fact name="Breaker">{BREAKERS[mysql.breaker]}</Fact>
        <Fact name="Connections in use">{formatNumber(mysql.inUse)}</Fact>
        <Fact name="Version">{mysql.version || 'Unknown'}</Fact>
      </Facts>
    </Card>
  )
}

export function RedisCard({ redis }: Pick<SystemView, 'redis'>) {
  return (
    <Card title="Redis" action={<UpBadge {...redis} />}>
      <Facts>
        <Fact name="Answers within">{latencyText(redis.latency)}</Fact>
        <Fact name="Breaker">{BREAKERS[redis.breaker]}</Fact>
        <Fact name="Memory in use">{formatBytes(redis.memory)}</Fact>
        <Fact name="Changes it has not heard of">{formatNumber(redis.unheardChanges)}</Fact>
        <Fact name="Version">{redis.version || 'Unknown'}</Fact>
      </Facts>
    </Card>
  )
}

export function ClicksCard({ clicks }: Pick<SystemView, 'clicks'>) {
  const behind = clicks.full || clicks.deadLetters > 0
  return (
    <Card title="Clicks on their way" action={behind ? <Badge tone="danger">Held up</Badge> : <Badge tone="ok">Counted</Badge>}>
      <Facts>
        <Fact name="Oldest has waited">{clicks.lag === null ? 'None waits' : formatSpan(clicks.lag)}</Fact>
        <Fact name="Batches that wait">{formatNumber(clicks.waitingBatches)}</Fact>
        <Fact name="Room they take">{formatBytes(clicks.waitingBytes)}</Fact>
        <Fact name="Queue">{clicks.full ? 'Full' : 'Has room'}</Fact>
        <Fact name="Dead letters">{formatNumber(clicks.deadLetters)}</Fact>
      </Facts>
    </Card>
  )
}

export function ProcessCard({ process }: Pick<SystemView, 'process'>) {
  return (
    <Card title="This process">
      <Facts>
        <Fact name="Runs for">{formatSpan(process.uptime)}</Fact>
        <Fact name="Memory">{formatBytes(process.memory)}</Fact>
        <Fact name="Number">{process.pid}</Fact>
        <Fact name="Terse">{process.version}</Fact>
        <Fact name="Node.js">{process.node}</Fact>
      </Facts>
    </Card>
  )
}
