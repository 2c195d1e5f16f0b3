import { describe, expect, it } from 'vitest'
import { Together } from './together'

class Refusal extends Error {}

/** Doubles numbers together, and notes what it was given. Negative numbers are refused, and 0 is an outage. */
function doubling(most = 3) {
  const given: number[][] = []
  const together = new Together<number, number>({
    most,
    work: async (numbers) => {
      given.push(numbers)
      if (numbers.includes(0)) throw new Error('away')
      if (numbers.some((number) => number < 0)) throw new Refusal()
      return numbers.map((number) => 2 * number)
    },
    isRefusal: (error) => error instanceof Refusal,
  })
  return { together, given }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('what is asked for together', () => {
  it('is done at once for a turn, a few at a time, and each gets its own result', async () => {
    const { together, given } = doubling()
    expect(await Promise.all([1, 2, 3, 4].map((number) => together.add(number)))).toEqual([2, 4, 6, 8])
    expect(given).toEqual([[1, 2, 3], [4]])
  })

  it('is never joined by who asks after it was sent', async () => {
    const { together, given } = doubling()
    const early = together.add(1)
    await turn()
    const late = together.add(2)
    expect(await Promise.all([early, late])).toEqual([2, 4])
    expect(given).toEqual([[1], [2]])
  })

  it('fails for all in an outage, and only for whom it concerns when something is refused', async () => {
    const { together } = doubling()
    const outage = await Promise.allSettled([1, 0].map((number) => together.add(number)))
    expect(outage.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    const refused = await Promise.allSettled([1, -1, 2].map((number) => together.add(number)))
    expect(refused.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })
})
