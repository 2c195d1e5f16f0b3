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
    const turns = new Turns({ atOnce: 2, mayWait: 10 })
    const { begun, ends, work } = pieces()
    const runs = [0, 1, 2, 3].map((number) => turns.run('', work(number)))
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
    const turns = new Turns({ atOnce: 1, mayWait: 1 })
    const { ends, work } = pieces()
    const runs = [0, 1].map((number) => turns.run('', work(number)))
    await expect(turns.run('', work(2))).rejects.toThrow(BusyError)
    ends[0]?.('done')
    await runs[0]
    ends[1]?.('done')
    await runs[1]
    expect(await turns.run('', async () => 'free')).toBe('free')
  })
})

const later = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('turns by key', () => {
  it('run one piece of work of a key at a time, in order, and those of other keys meanwhile', async () => {
    const turns = new Turns({ atOnceEach: 1, mayWaitEach: 10 })
    const log: string[] = []
    const work = (key: string, name: string) =>
      turns.run(key, async () => {
        log.push(`${name} begins`)
        await later()
        log.push(`${name} ends`)
      })
    await Promise.all([work('a', '1'), work('a', '2'), work('b', '3')])
    expect(log.filter((entry) => !entry.startsWith('3'))).toEqual(['1 begins', '1 ends', '2 begins', '2 ends'])
    expect(log.indexOf('3 begins')).toBeLessThan(log.indexOf('1 ends'))
  })

  it('refuse more waiting work than they may hold, and keep nothing of what is done or failed', async () => {
    const turns = new Turns({ atOnceEach: 1, mayWaitEach: 1 })
    const failing = turns.run('a', async () => {
      await later()
      throw new Error('failed')
    })
    const waiting = turns.run('a', async () => 'done')
    await expect(turns.run('a', async () => 'never')).rejects.toBeInstanceOf(BusyError)
    await expect(failing).rejects.toThrow('failed')
    expect(await waiting).toBe('done')
    expect(turns.size).toBe(0)
  })
})
