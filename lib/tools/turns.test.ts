import { describe, expect, it } from 'vitest'
import { BusyError, Turns } from './turns'

/** Work that ends when told to, noting when it began. */
function pieces() {
  const begun: number[] = []
  const ends: ((outcome: 'done' | 'failed') => void)[] = []
  const work = (number: number) => () => {
    begun.push(number)
    return new Promise<number>((resolve, reject) => {
      ends[number] = (outcome) => (outcome === 'done' ? resolve(number) : reject(new Error(`${number} failed`)))
    })
  }
  return { begun, ends, work }
}

describe('Turns', () => {
  it('lets so many run at once, and the others in order of arrival, whatever becomes of the first', async () => {
    const turns = new Turns(2, 10)
    const { begun, ends, work } = pieces()
    const runs = [0, 1, 2, 3].map((number) => turns.run(work(number)))
    expect(begun).toEqual([0, 1])
    ends[1]?.('failed')
    await expect(runs[1]).rejects.toThrow('1 failed')
    expect(begun).toEqual([0, 1, 2])
    ends[0]?.('done')
    expect(await runs[0]).toBe(0)
    expect(begun).toEqual([0, 1, 2, 3])
    ends[2]?.('done')
    ends[3]?.('done')
    expect(await Promise.all([runs[2], runs[3]])).toEqual([2, 3])
  })

  it('refuses at once when too many wait, and takes work again when they are through', async () => {
    const turns = new Turns(1, 1)
    const { ends, work } = pieces()
    const runs = [0, 1].map((number) => turns.run(work(number)))
    await expect(turns.run(work(2))).rejects.toThrow(BusyError)
    ends[0]?.('done')
    await runs[0]
    ends[1]?.('done')
    await runs[1]
    expect(await turns.run(async () => 'free')).toBe('free')
  })
})
