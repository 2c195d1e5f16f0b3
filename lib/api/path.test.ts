import { expect, it } from 'vitest'
import { LinkId } from '@/lib/links/schemas'
import { idOf } from './path'

it.each(['9223372036854775808', '9999999999999999999', '10000000000000000000', '1e3', '-1', ''])(
  'the id “%s”, which no 64-bit column holds, names nothing, in a path as in a body',
  (id) => {
    expect(() => idOf({ id }, 'link')).toThrow('There’s no such link.')
    expect(LinkId.safeParse(id).success).toBe(false)
  },
)

it.each(['0', '117093590311632896', '8999999999999999999'])('the id “%s” is one', (id) => {
  expect(idOf({ id }, 'link')).toBe(BigInt(id))
  expect(LinkId.safeParse(id).success).toBe(true)
})
