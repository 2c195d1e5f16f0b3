import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { WORK } from '@/lib/backup/age'
import { PATIENCE } from '@/lib/clicks/capture'
import { FRESH } from '@/lib/domains/app-files'
import { WAITS } from '@/lib/jobs/queue'
import { LEASE, RETRY } from '@/lib/leaving/nightly'
import { IDEMPOTENCY_LIFETIME } from '@/lib/links/idempotency'
import { POLICIES } from '@/lib/net/policies'
import { WINDOW_DAYS } from '@/lib/routing/click-ids'
import { DAY, HOUR, MINUTE } from '@/lib/tools/time'
import { SHARES } from '@/lib/upstream/pace'
import { EVENTS_KEPT, FAILING_FOR, pauseAfter, TRIES_BEFORE_OFF } from '@/lib/webhooks/schedule'

/** Numbers that pages promise, as the code has them: whoever changes one changes the other too. */

const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const word = (count: number) => WORDS[count] ?? String(count)
const number = (count: number) => count.toLocaleString('en-US')
/** Values as “1, 5 and 30 minutes”; without “and” where others follow. */
const list = (values: readonly number[], and: boolean) =>
  and ? `${values.slice(0, -1).join(', ')} and ${values.at(-1)}` : values.join(', ')

const pauses = Array.from({ length: 10 }, (_, n) => pauseAfter(n + 1, 0))
const within = (unit: number, most: number) =>
  pauses.filter((pause) => pause >= unit && pause < most).map((pause) => pause / unit)
const tried = `After ${within(1_000, MINUTE).join()} seconds, ${list(within(MINUTE, HOUR), true)} minutes, ${list(within(HOUR, DAY), true)} hours.`

test.each([
  ['webhooks.md', tried],
  [
    'webhooks.md',
    `It is turned off after ${word(FAILING_FOR / DAY)} days** without a success, once an event was tried ${word(TRIES_BEFORE_OFF)} times`,
  ],
  ['webhooks.md', `where it stays for ${EVENTS_KEPT / DAY} days`],
  ['conversions.md', `It's valid for ${WINDOW_DAYS} days`],
  ['conversions.md', `\`Idempotency-Key\` for ${IDEMPOTENCY_LIFETIME / HOUR} hours`],
  ['conversions.md', `${number(POLICIES.conversions.points)} conversions a minute`],
  ['backup.md', `a work factor of 2^${WORK}`],
  ['leaving.md', `another begins again after ${LEASE === 60 ? 'a minute' : `${LEASE} s`}`],
  ['leaving.md', `it is tried again every ${word(RETRY / 60)} minutes`],
  ['moving.md', `a client can have ${SHARES === 2 ? 'half' : `1/${SHARES}`} of them`],
  ['security.md', `after ${WAITS === 7 ? 'a week' : `${WAITS} days`} in which nobody started or resumed it`],
  ['operations.md', `within ${word(FRESH / 1_000)} seconds, as \`application/json\``],
  ['operations.md', `the first clicks wait ${PATIENCE} ms, then all go to the spool`],
])('docs/%s says: %s', (page, promise) => {
  expect(readFileSync(`docs/${page}`, 'utf8').replace(/\s+/g, ' ')).toContain(promise)
})

test('a minute is what conversions are limited by', () => {
  expect(POLICIES.conversions.duration).toBe(60)
})
