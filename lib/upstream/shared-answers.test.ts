import { describe, expect, it } from 'vitest'
import { eventually } from '@/lib/testing/eventually'
import { openRedis, testRedis } from '@/lib/testing/redis'
import { SharedAnswers } from './shared-answers'
import type { UpstreamAnswer } from './upstream'

const server = await testRedis()
const [first, second] = [await openRedis(server.url), await openRedis(server.url)]
const UNKNOWN: UpstreamAnswer = { kind: 'unknown' }
const FAILED: UpstreamAnswer = { kind: 'failed', why: 'timeout' }

/** A question that is answered when the test says so. */
function question() {
  let answer = (_: UpstreamAnswer) => {}
  let isAsked = () => {}
  const asked = new Promise<void>((resolve) => (isAsked = resolve))
  const ask = () => {
    isAsked()
    return new Promise<UpstreamAnswer>((resolve) => (answer = resolve))
  }
  return { ask, asked, answer: (given: UpstreamAnswer) => answer(given) }
}

describe('of several processes that want to know the same', () => {
  it('one asks, however long that takes, and the others take its answer', async () => {
    const slow = question()
    const mine = new SharedAnswers(first).of('slow', slow.ask)
    await slow.asked
    let asked = 0
    const theirs = new SharedAnswers(second).of('slow', async () => {
      asked += 1
      return FAILED
    })
    // Renewed for longer than one that says nothing more is waited for.
    let [renewals, before] = [0, Number.POSITIVE_INFINITY]
    await eventually(async () => {
      const left = await second.client.pttl('terse:upstream:slow')
      if (left > before) renewals += 1
      before = left
      expect(renewals).toBeGreaterThan(5)
    })
    slow.answer(UNKNOWN)
    expect([await mine, await theirs, asked]).toEqual([UNKNOWN, UNKNOWN, 0])
  })

  it('another asks soon when the one that asked was killed', async () => {
    const gone = await openRedis(server.url)
    const dead = question()
    void new SharedAnswers(gone).of('dead', dead.ask)
    await dead.asked
    gone.close()
    const begun = performance.now()
    expect(await new SharedAnswers(second).of('dead', async () => UNKNOWN)).toEqual(UNKNOWN)
    expect(performance.now() - begun).toBeLessThan(8_000)
  })

  it('a failure stands for a second and no longer, so that nothing of it is remembered', async () => {
    expect(await new SharedAnswers(first).of('failed', async () => FAILED)).toEqual(FAILED)
    expect(await second.client.pttl('terse:upstream:failed')).toBeLessThanOrEqual(1_000)
  })
})
