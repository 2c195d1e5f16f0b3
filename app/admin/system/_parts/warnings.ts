import { formatNumber, formatShare, formatSpan } from '@/app/_ui/data/numbers'
import { formatCount } from '@/app/_ui/data/time'
import type { SystemView } from '@/lib/overview/schemas'
import { ID_NAMES } from './names'

/** Clicks are counted within a second or two: what waits longer than this is held up, in s. */
const LONG_LAG = 30
/** A share from which on numbers run out soon. */
const NEARLY_FULL = 0.9
/** Beyond a multiple of the error rate that was asked for, unknown codes cost noticeably more. */
const TOO_WRONG = 3

/** What needs somebody's attention, in whole sentences with what it means; none when all is well. */
export function warningsOf(system: SystemView): string[] {
  return [...ofMysql(system), ...ofRedis(system), ...ofClicks(system), ...ofCodes(system), ...ofIds(system)]
}

function ofMysql({ mysql }: SystemView): string[] {
  if (!mysql.up) return ['MySQL does not answer. Links in the caches still redirect; nothing can be made or changed.']
  return mysql.breaker === 'closed' ? [] : ['MySQL failed a moment ago. It is asked less until it has answered a few times.']
}

function ofRedis({ redis }: SystemView): string[] {
  const warnings = []
  if (!redis.up) warnings.push('Redis does not answer. Links redirect from MySQL, and clicks wait in files until it is back.')
  else if (redis.breaker !== 'closed')
    warnings.push('Redis failed a moment ago. It is asked less until it has answered a few times.')
  if (redis.unheardChanges > 0)
    warnings.push(
      `${formatCount(redis.unheardChanges, 'change has', 'changes have')} not reached Redis yet. They are sent again by themselves.`,
    )
  return warnings
}

function ofClicks({ clicks }: SystemView): string[] {
  const warnings = []
  if (clicks.full) warnings.push('The queue of clicks is full. New clicks wait in files until it is shorter.')
  if (clicks.lag !== null && clicks.lag > LONG_LAG)
    warnings.push(`Clicks have waited ${formatSpan(clicks.lag)} to be counted. None is lost; the numbers are behind.`)
  if (clicks.deadLetters > 0)
    warnings.push(
      `${formatCount(clicks.deadLetters, 'batch of clicks', 'batches of clicks')} could not be counted: see the dead letters below.`,
    )
  return warnings
}

function ofCodes({ bloom, redis }: SystemView): string[] {
  const warnings = []
  if (!bloom.trusted && redis.up)
    warnings.push(
      'The code filter is not trusted at the moment, so that unknown codes are looked up in MySQL. It mends itself, or is rebuilt below.',
    )
  if (bloom.codes > bloom.capacity)
    warnings.push(
      `The code filter holds ${formatNumber(bloom.codes)} codes and was made for ${formatNumber(bloom.capacity)}. ${
        bloom.capacity < bloom.maxCapacity
          ? 'It is made larger by itself within minutes.'
          : 'It may not grow further: raise BLOOM_MAX_CAPACITY and restart.'
      }`,
    )
  else if (bloom.estimatedError > TOO_WRONG * bloom.errorRate)
    warnings.push(`The code filter is wrong about ${formatShare(bloom.estimatedError, 1)} of unknown codes. Rebuild it.`)
  return warnings
}

function ofIds({ ids, redis }: SystemView): string[] {
  return ids.flatMap(({ name, up, parts }) => {
    if (!up) return redis.up ? [`${ID_NAMES[name]} cannot be given out at the moment.`] : []
    return parts
      .filter(({ used, capacity }) => capacity !== null && used >= NEARLY_FULL * capacity)
      .map(({ part, used, capacity }) => `${ID_NAMES[name]}, ${part}: ${formatShare(used, capacity ?? 0)} are in use.`)
  })
}
