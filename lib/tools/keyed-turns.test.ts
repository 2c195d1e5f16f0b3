import { describe, expect, it } from 'vitest'
import { KeyedTurns } from './keyed-turns'
import { BusyError } from './turns'

const later = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('turns by key', () => {
  it('run one piece of work of a key at a time, in order, and those of other keys meanwhile', async () => {
    const turns = new KeyedTurns(10)
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
    const turns = new KeyedTurns(1)
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
