import { expect, it } from 'vitest'
import { longestStretch } from '@/lib/testing/stretch'
import { Breath } from './breath'

/** Works for so many ms of the clock, in small steps. */
async function work(ms: number): Promise<void> {
  const breath = new Breath()
  for (let worked = 0; worked < ms; ) {
    const begun = performance.now()
    while (performance.now() - begun < 1) Math.sqrt(begun)
    worked += performance.now() - begun
    if (breath.isDue) await breath.pause()
  }
}

it('many long loops at once leave as much room as one', async () => {
  expect(await longestStretch(() => Promise.all(Array.from({ length: 30 }, () => work(40))))).toBeLessThan(50)
})

it('each of them has its turn, in the order in which they paused', async () => {
  const order: number[] = []
  await Promise.all(
    [0, 1, 2].map(async (n) => {
      const breath = new Breath()
      for (let round = 0; round < 3; round++) {
        await breath.pause()
        order.push(n)
      }
    }),
  )
  expect(order).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2])
})
