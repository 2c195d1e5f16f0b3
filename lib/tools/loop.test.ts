import { afterEach, describe, expect, it } from 'vitest'
import { eventually } from '@/lib/testing/eventually'
import { Loop, type LoopOptions } from './loop'

const loops: Loop[] = []
const loopOf = (options: Partial<LoopOptions> = {}) => {
  const loop = new Loop({ run: () => {}, every: 2, ...options })
  loops.push(loop)
  return loop
}
afterEach(() => Promise.all(loops.splice(0).map((loop) => loop.stop())))

/** Work that is done at once. */
function quickWork() {
  const work = {
    runs: 0,
    run: () => {
      work.runs += 1
    },
  }
  return work
}

/** Ends after some runs of a loop that begins now: any other would have run by then. */
async function chances(): Promise<void> {
  const work = quickWork()
  void loopOf(work).start()
  await eventually(() => expect(work.runs).toBeGreaterThan(4), 1)
}

/** Work that ends when it is told to. */
function slowWork() {
  let runs = 0
  let atOnce = 0
  let most = 0
  const ends: (() => void)[] = []
  return {
    run: async () => {
      runs += 1
      atOnce += 1
      most = Math.max(most, atOnce)
      await new Promise<void>((resolve) => ends.push(resolve))
      atOnce -= 1
    },
    end: () => ends.shift()?.(),
    get runs() {
      return runs
    },
    get most() {
      return most
    },
  }
}

describe('a loop', () => {
  it('runs at once, and again and again', async () => {
    const work = quickWork()
    await loopOf(work).start()
    expect(work.runs).toBe(1)
    await eventually(() => expect(work.runs).toBeGreaterThan(3), 1)
  })

  it('can begin with a pause, which asking for it twice does not make longer', async () => {
    const at: number[] = []
    const loop = loopOf({ every: 20, run: () => void at.push(performance.now()) })
    const begun = performance.now()
    loop.startLater()
    expect(at).toEqual([])
    await eventually(() => {
      loop.startLater()
      expect(at).not.toEqual([])
    }, 1)
    expect((at[0] ?? 0) - begun).toBeGreaterThan(18)
  })

  it.each(['start', 'startLater', 'wake', 'pause'] as const)(
    'never runs after it was stopped, nor if that was during a run, and whatever %s does',
    async (again) => {
      const [quick, slow] = [quickWork(), slowWork()]
      const [idle, busy] = [loopOf(quick), loopOf(slow)]
      await idle.start()
      const before = quick.runs
      void busy.start()
      for (const loop of [idle, busy]) {
        void loop.stop()
        void loop[again]()
      }
      slow.end()
      await chances()
      expect([quick.runs, slow.runs]).toEqual([before, 1])
      expect([idle.isStopped, busy.isStopped]).toEqual([true, true])
    },
  )

  it('waits in stop for the run under way', async () => {
    const work = slowWork()
    const loop = loopOf(work)
    void loop.start()
    let isOver = false
    const over = loop.stop().then(() => {
      isOver = true
    })
    await chances()
    expect(isOver).toBe(false)
    work.end()
    await over
  })

  it('runs no more while it pauses', async () => {
    const work = quickWork()
    const loop = loopOf(work)
    await loop.start()
    loop.pause()
    await chances()
    expect(work.runs).toBe(1)
    loop.startLater()
    await eventually(() => expect(work.runs).toBeGreaterThan(2), 1)
  })

  it('goes on after a pause with one run at a time, even if the last is under way', async () => {
    const work = slowWork()
    const loop = loopOf(work)
    void loop.start()
    loop.pause()
    loop.startLater()
    void loop.start()
    await chances()
    expect(work.runs).toBe(1)
    work.end()
    await eventually(() => expect(work.runs).toBe(2), 1)
    expect(work.most).toBe(1)
    void loop.stop()
    work.end()
  })

  it('runs when it is woken, without waiting for its time, and once for all who wake it', async () => {
    const work = slowWork()
    const loop = loopOf({ ...work, every: 3_600_000 })
    loop.startLater()
    const woken = [loop.wake(), loop.wake()]
    work.end()
    await Promise.all(woken)
    const again = loop.wake()
    work.end()
    await again
    expect(work.runs).toBe(2)
  })

  it('runs once when it is woken before it was started', async () => {
    const work = quickWork()
    await loopOf(work).wake()
    await chances()
    expect(work.runs).toBe(1)
  })

  it('tells of a failure once, until it changes or ends, and goes on', async () => {
    const outcomes = ['down', 'down', 'gone', 'gone', '', 'gone', 'gone']
    const told: string[] = []
    const loop = loopOf({
      run: async () => {
        const outcome = outcomes.shift()
        if (outcome) throw new Error(outcome)
      },
      onFailure: (error) => told.push((error as Error).message),
    })
    await loop.start()
    await eventually(() => expect(outcomes).toEqual([]), 1)
    await loop.stop()
    expect(told).toEqual(['down', 'gone', 'gone'])
  })

  it('takes what is thrown at once for a failure too, and comes back sooner if it may', async () => {
    let runs = 0
    const loop = loopOf({
      every: 3_600_000,
      retry: 1,
      run: () => {
        runs += 1
        if (runs < 3) throw new Error('down')
      },
    })
    await loop.start()
    await eventually(() => expect(runs).toBe(3), 1)
  })

  it('counts from the beginning of a run, and leaves a quarter of its pause after a long one', async () => {
    const begun: number[] = []
    const ended: number[] = []
    const loop = loopOf({
      every: 40,
      run: async () => {
        begun.push(performance.now())
        await eventually(() => expect(performance.now() - (begun.at(-1) ?? 0)).toBeGreaterThan(60), 1)
        ended.push(performance.now())
      },
    })
    void loop.start()
    await eventually(() => expect(begun).toHaveLength(2), 1)
    expect((begun[1] ?? 0) - (ended[0] ?? 0)).toBeGreaterThan(9)
  })

  it('runs beside other work as long as that lasts, and gives what that gives', async () => {
    const beat = quickWork()
    const loop = loopOf(beat)
    const work = async () => {
      await eventually(() => expect(beat.runs).toBeGreaterThan(1), 1)
      return 'done'
    }
    await expect(loop.during(work)).resolves.toBe('done')
    expect(loop.isStopped).toBe(true)
    const other = loopOf()
    await expect(other.during(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    expect(other.isStopped).toBe(true)
  })

  it('keeps no process alive', () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = timers()
    loopOf({ every: 3_600_000 }).startLater()
    expect(timers()).toBe(before)
  })
})
