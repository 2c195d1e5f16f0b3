import { expect, it } from 'vitest'
import { requestIdOf } from './request-id'

const PROXY = { viaProxy: true }
const OWN = /^[\w-]{12}$/

it('is what a trusted proxy says', () => {
  for (const id of ['0af7651916cd43dd8448eb211c80319c', '6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'Root=1-67891233-abc'])
    expect(requestIdOf(PROXY, id)).toBe(id)
})

it.each([undefined, '', 'a b', 'a\nlevel=error', '{"a":1}', 'x'.repeat(129), 'é', ['one', 'two']])(
  'is a new one where a proxy says %j',
  (given) => {
    expect(requestIdOf(PROXY, given)).toMatch(OWN)
  },
)

it('is a new one for everyone else, and never the same', () => {
  const ids = new Set(Array.from({ length: 1_000 }, () => requestIdOf({ viaProxy: false }, 'mine')))
  expect(ids.size).toBe(1_000)
  expect(ids).not.toContain('mine')
})
