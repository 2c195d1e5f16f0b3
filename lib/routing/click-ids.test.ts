import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextId } from '@/lib/db/id'
import { DAY } from '@/lib/tools/time'
import { ClickIds, destinationHash, NO_DESTINATION, WINDOW_DAYS } from './click-ids'

const tokens = new ClickIds('a secret only for tests, 32 bytes')
const NOW = Date.UTC(2026, 10, 23)
const id = nextId()

describe('a click ID', () => {
  it('says which link, when, and where it led, and nothing else has its key', () => {
    const name = 'https://a.example/?x=1'
    const [one, two] = [tokens.make(String(id), NOW, name), tokens.make(String(id), NOW, name)]
    expect(one).toMatch(/^[A-Za-z0-9_-]{52}$/)
    expect(one).not.toBe(two)
    const read = tokens.read(one, NOW + 5)
    expect(read).toMatchObject({ linkId: id, at: NOW, destination: destinationHash(name) })
    expect(tokens.read(tokens.make('1', NOW, ''), NOW)).toMatchObject({ linkId: 1n, destination: NO_DESTINATION })
  })

  it('cannot be made, changed or guessed without the secret', () => {
    const good = tokens.make(String(id), NOW, '')
    expect(new ClickIds('another secret of 32 bytes, or so').read(good, NOW)).toBe('forged')
    fc.assert(
      fc.property(fc.nat(51), fc.constantFrom(...'ABCxyz019_-'), (place, sign) => {
        const changed = good.slice(0, place) + sign + good.slice(place + 1)
        expect(changed === good || tokens.read(changed, NOW) === 'forged').toBe(true)
      }),
    )
    fc.assert(fc.property(fc.string(), (text) => tokens.read(text, NOW) === 'forged'))
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 39, maxLength: 39 }),
        (bytes) => tokens.read(Buffer.from(bytes).toString('base64url'), NOW) === 'forged',
      ),
    )
  })

  it('is taken for so many days, and not before its click', () => {
    const text = tokens.make(String(id), NOW, '')
    expect(tokens.read(text, NOW + WINDOW_DAYS * DAY)).toMatchObject({ linkId: id })
    expect(tokens.read(text, NOW + WINDOW_DAYS * DAY + 1)).toBe('expired')
    expect(tokens.read(text, NOW - 61_000)).toBe('forged')
  })
})
