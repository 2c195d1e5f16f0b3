import { describe, expect, it } from 'vitest'
import { NOWHERE, PackedRecords } from './packed-records'

const SIZE = 64 * 1024

function filled(size = SIZE) {
  const packed = new PackedRecords(size)
  const at = (key: string) => packed.find(key, packed.hash(key))
  return {
    packed,
    at,
    set: (key: string, value: string, filledAt = 0, shard = 0) => packed.set(key, packed.hash(key), value, filledAt, shard),
    remove: (key: string) => packed.delete(key, packed.hash(key)),
    valueAt: (key: string) => (at(key) === NOWHERE ? null : packed.value(at(key))),
  }
}

describe('packed records', () => {
  it('give back what was kept: texts of every script, when each was filled, and its shard', () => {
    const { packed, at, set, valueAt } = filled()
    const texts: [string, string][] = [
      ['terse.test/a', 'plain'],
      ['terse.test/ü', 'Übergröße'],
      ['terse.test/🦊', '狐 🦊'],
      ['', ''],
    ]
    for (const [i, [key, value]] of texts.entries()) set(key, value, i + 0.25, i + 12)
    for (const [i, [key, value]] of texts.entries()) {
      expect(valueAt(key)).toBe(value)
      expect(packed.filledAt(at(key))).toBe(i + 0.25)
      expect(packed.shard(at(key))).toBe(i + 12)
    }
    expect(packed.size).toBe(4)
    expect(at('terse.test/b')).toBe(NOWHERE)
  })

  it('take no more than their size, whatever is written, and hold the newest', () => {
    const { packed, set, valueAt } = filled()
    for (let i = 0; i < 5_000; i++) set(`terse.test/${i}`, `${i}`.repeat(1 + (i % 40)))
    expect(packed.used).toBeLessThanOrEqual(SIZE)
    const held = Array.from({ length: 5_000 }, (_, i) => valueAt(`terse.test/${i}`) !== null)
    expect(held.filter(Boolean)).toHaveLength(packed.size)
    expect(held.indexOf(true)).toBe(5_000 - packed.size)
    expect(valueAt('terse.test/4999')).toBe('4999'.repeat(40))
  })

  it('need less than 250 bytes for a link of common length', () => {
    const { packed, set } = filled(1024 * 1024)
    const value = `${'1'.repeat(19)}{"i":"183920123451","u":"https://www.example.com/${'a'.repeat(80)}"}`
    for (let i = 0; i < 10_000; i++) set(`short.example/${1_000_000 + i}`, value)
    expect((1024 * 1024) / packed.size).toBeLessThan(250)
  })

  it('keep what is used when the oldest has to go', () => {
    const { packed, at, set, valueAt } = filled()
    set('terse.test/used', 'stays')
    for (let i = 0; i < 5_000; i++) {
      packed.use(at('terse.test/used'))
      set(`terse.test/${i}`, 'goes')
      expect(valueAt('terse.test/used')).toBe('stays')
    }
  })

  it('still make room when everything is in use', () => {
    const { packed, at, set, valueAt } = filled()
    for (let i = 0; i < 5_000; i++) {
      set(`terse.test/${i}`, `${i}`)
      packed.use(at(`terse.test/${i}`))
    }
    expect(valueAt('terse.test/4999')).toBe('4999')
  })

  it('do not keep what takes too large a part of them, nor the former value of it', () => {
    const { set, valueAt } = filled()
    set('terse.test/a', 'short')
    set('terse.test/a', 'x'.repeat(SIZE / 2))
    expect(valueAt('terse.test/a')).toBeNull()
  })

  it('are what a map would be, over many changes of every kind and length', () => {
    const { packed, at, set, remove, valueAt } = filled(16 * 1024)
    const known = new Map<string, string>()
    let state = 1
    const random = (below: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
      return Math.floor((state / 0x80000000) * below)
    }
    for (let i = 0; i < 50_000; i++) {
      const key = `terse.test/${random(300)}`
      const kind = random(10)
      if (kind < 2) {
        remove(key)
        known.delete(key)
      } else if (kind < 6) {
        const value = `${i}:`.padEnd(random(400), 'x')
        set(key, value)
        known.set(key, value)
      } else if (at(key) !== NOWHERE) {
        packed.use(at(key))
        expect(packed.value(at(key))).toBe(known.get(key))
      }
    }
    const held = [...known].filter(([key]) => valueAt(key) !== null)
    expect(held).toHaveLength(packed.size)
    for (const [key, value] of held) expect(valueAt(key)).toBe(value)
    expect(packed.size).toBeGreaterThan(20)
  })
})
