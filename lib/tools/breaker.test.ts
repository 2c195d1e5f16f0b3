import { describe, expect, it, vi } from 'vitest'
import { Breaker, BreakerOpenError } from './breaker'

const fail = () => Promise.reject(new Error('down'))
const succeed = () => Promise.resolve('up')

function breakerWithClock(isFailure?: (error: unknown) => boolean) {
  let time = 1_000
  const options = { failures: 3, cooldown: 500, now: () => time, ...(isFailure ? { isFailure } : {}) }
  return {
    breaker: new Breaker(options),
    forward: (ms: number) => {
      time += ms
    },
  }
}

async function failTimes(breaker: Breaker, times: number): Promise<void> {
  for (let i = 0; i < times; i++) await expect(breaker.run(fail)).rejects.toThrow('down')
}

describe('a breaker', () => {
  it('opens after that many failures in a row, and then asks nobody', async () => {
    const { breaker } = breakerWithClock()
    await failTimes(breaker, 2)
    expect(breaker.state).toBe('closed')
    await failTimes(breaker, 1)
    expect(breaker.state).toBe('open')
    const work = vi.fn(succeed)
    await expect(breaker.run(work)).rejects.toThrow(BreakerOpenError)
    expect(work).not.toHaveBeenCalled()
  })

  it('counts failures in a row only', async () => {
    const { breaker } = breakerWithClock()
    await failTimes(breaker, 2)
    await breaker.run(succeed)
    await failTimes(breaker, 2)
    expect(breaker.state).toBe('closed')
  })

  it('lets one call through after a while, and closes when it succeeds', async () => {
    const { breaker, forward } = breakerWithClock()
    await failTimes(breaker, 3)
    forward(499)
    expect(breaker.state).toBe('open')
    forward(1)
    expect(breaker.state).toBe('half-open')
    await expect(breaker.run(succeed)).resolves.toBe('up')
    expect(breaker.state).toBe('closed')
  })

  it('lets only one call through while that one is under way', async () => {
    const { breaker, forward } = breakerWithClock()
    await failTimes(breaker, 3)
    forward(500)
    let answer: (value: string) => void = () => {}
    const probe = breaker.run(() => new Promise<string>((resolve) => (answer = resolve)))
    await expect(breaker.run(succeed)).rejects.toThrow(BreakerOpenError)
    answer('up')
    await expect(probe).resolves.toBe('up')
    await expect(breaker.run(succeed)).resolves.toBe('up')
  })

  it('stays open for as long again when that call fails', async () => {
    const { breaker, forward } = breakerWithClock()
    await failTimes(breaker, 3)
    forward(500)
    await failTimes(breaker, 1)
    expect(breaker.state).toBe('open')
    forward(500)
    await expect(breaker.run(succeed)).resolves.toBe('up')
  })

  it('is not opened by errors that are no sign of ill health', async () => {
    const { breaker } = breakerWithClock((error) => (error as Error).message !== 'down')
    await failTimes(breaker, 10)
    expect(breaker.state).toBe('closed')
  })

  it('is closed by a refusal too, for a server that refuses is there', async () => {
    const { breaker, forward } = breakerWithClock((error) => (error as Error).message === 'down')
    await failTimes(breaker, 3)
    forward(500)
    await expect(breaker.run(() => Promise.reject(new Error('no such table')))).rejects.toThrow('no such table')
    expect(breaker.state).toBe('closed')
  })

  it('tells failures that were thrown at once from results too', async () => {
    const { breaker } = breakerWithClock()
    for (let i = 0; i < 3; i++) {
      await expect(
        breaker.run(() => {
          throw new Error('down')
        }),
      ).rejects.toThrow('down')
    }
    expect(breaker.state).toBe('open')
  })

  it('is not kept open by calls that began while it was closed and end late', async () => {
    const { breaker, forward } = breakerWithClock()
    let refuse: (error: Error) => void = () => {}
    const slow = breaker.run(() => new Promise<string>((_, reject) => (refuse = reject)))
    await failTimes(breaker, 3)
    forward(500)
    let answer: (value: string) => void = () => {}
    const probe = breaker.run(() => new Promise<string>((resolve) => (answer = resolve)))
    refuse(new Error('down'))
    await expect(slow).rejects.toThrow('down')
    answer('up')
    await probe
    expect(breaker.state).toBe('closed')
  })
})
