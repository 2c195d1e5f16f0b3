import { stat } from 'node:fs/promises'
import { Registry } from 'prom-client'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { FastHistogram } from './histogram'
import { hashPassword, verifyPassword } from './password'
import { SingleFlight } from './single-flight'
import { TimeoutError, withTimeout } from './timeout'

function deferred<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

describe('single flight', () => {
  it('does a piece of work once for all who ask while it is under way, and again after it', async () => {
    const flights = new SingleFlight<number>()
    const { promise, resolve } = deferred<number>()
    const work = vi.fn(() => promise)
    const all = Promise.all([flights.run('a', work), flights.run('a', work), flights.run('a', work)])
    resolve(7)
    expect(await all).toEqual([7, 7, 7])
    expect(work).toHaveBeenCalledTimes(1)
    await flights.run('a', work)
    expect(work).toHaveBeenCalledTimes(2)
  })

  it('keeps keys apart', async () => {
    const flights = new SingleFlight<string>()
    expect(await Promise.all(['a', 'b'].map((key) => flights.run(key, async () => key)))).toEqual(['a', 'b'])
  })

  it('shares a failure, and remembers none', async () => {
    const flights = new SingleFlight<number>()
    const { promise, reject } = deferred<number>()
    const [one, two] = [flights.run('a', () => promise), flights.run('a', () => promise)]
    reject(new Error('down'))
    await expect(one).rejects.toThrow('down')
    await expect(two).rejects.toThrow('down')
    await expect(flights.run('a', async () => 1)).resolves.toBe(1)
  })

  it.each(['forget', 'forgetAll'] as const)('begins again after %s, and the old flight does not end the new one', async (how) => {
    const flights = new SingleFlight<string>()
    const [old, young] = [deferred<string>(), deferred<string>()]
    const first = flights.run('a', () => old.promise)
    flights[how]('a')
    const second = flights.run('a', () => young.promise)
    old.resolve('old')
    expect(await first).toBe('old')
    const third = flights.run('a', async () => 'a flight too many')
    young.resolve('young')
    expect(await Promise.all([second, third])).toEqual(['young', 'young'])
  })
})

describe('a timeout', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('ends the wait at its time, and says for what', async () => {
    vi.useFakeTimers()
    const wait = withTimeout(new Promise(() => {}), 100, 'Redis')
    const ended = expect(wait).rejects.toEqual(new TimeoutError('Redis took longer than 100 ms'))
    await vi.advanceTimersByTimeAsync(101)
    await ended
  })

  it('lets results and failures through, and leaves no timer behind', async () => {
    vi.useFakeTimers()
    await expect(withTimeout(Promise.resolve(1), 100, 'x')).resolves.toBe(1)
    await expect(withTimeout(Promise.reject(new Error('down')), 100, 'x')).rejects.toThrow('down')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('does not count the time in which this process was too busy to see that the work was done', async () => {
    const done = withTimeout(stat('.'), 20, 'x')
    for (const begun = performance.now(); performance.now() - begun < 60; );
    await expect(done).resolves.toBeDefined()
  })

  it('is no unhandled rejection when the work fails after all', async () => {
    vi.useFakeTimers()
    const { promise, reject } = deferred<never>()
    const ended = expect(withTimeout(promise, 100, 'x')).rejects.toThrow(TimeoutError)
    await vi.advanceTimersByTimeAsync(101)
    await ended
    reject(new Error('late')) // vitest fails the run on an unhandled rejection
    await vi.advanceTimersByTimeAsync(1)
  })
})

describe('a password', () => {
  it('is kept as argon2id with a salt of its own, and only the right one fits', async () => {
    const [one, two] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(one).not.toBe(two)
    expect(await verifyPassword(one, 'correct horse')).toBe(true)
    expect(await verifyPassword(one, 'Correct horse')).toBe(false)
    expect(await verifyPassword(one, '')).toBe(false)
  })

  it('is the same in composed and decomposed form, and fits its column', async () => {
    const hash = await hashPassword('caf\u00e9')
    expect(await verifyPassword(hash, 'cafe\u0301')).toBe(true)
    expect((await hashPassword('x'.repeat(256))).length).toBeLessThanOrEqual(255)
  })
})

describe('the histogram of the hot path', () => {
  it('is read by Prometheus as any other: cumulative buckets, sum and count', async () => {
    const registry = new Registry()
    const histogram = new FastHistogram<'tier'>({ name: 'h', help: 'Help', bounds: [0.1, 0.5, 1], registry })
    const series = histogram.labels({ tier: 'memory' })
    for (const value of [0.1, 0.2, 0.5, 3]) series.observe(value)
    expect(histogram.labels({ tier: 'memory' })).toBe(series)
    const text = await registry.metrics()
    expect(text).toContain('# TYPE h histogram')
    const value = (labels: string) => Number(new RegExp(`^${labels.replace(/[{}+]/g, '\\$&')} (.*)$`, 'm').exec(text)?.[1])
    expect(value('h_bucket{tier="memory",le="0.1"}')).toBe(1)
    expect(value('h_bucket{tier="memory",le="0.5"}')).toBe(3)
    expect(value('h_bucket{tier="memory",le="1"}')).toBe(3)
    expect(value('h_bucket{tier="memory",le="+Inf"}')).toBe(4)
    expect(value('h_count{tier="memory"}')).toBe(4)
    expect(value('h_sum{tier="memory"}')).toBeCloseTo(3.8)
  })
})
