import { describe, expect, it } from 'vitest'
import { levelOf, warningsOf } from './style'

describe('warnings', () => {
  it.each([
    ['#000000', '#ffffff', 4, []],
    ['#4338ca', '#ffffff', 4, []],
    ['#000000', null, 4, []],
    ['#999999', '#ffffff', 4, ['contrast']],
    ['#222222', '#666666', 4, ['contrast']],
    ['#ffffff', '#000000', 4, ['inverted']],
    ['#ffffff', null, 4, ['contrast']],
    ['#ffff00', '#eeeeee', 4, ['contrast', 'inverted']],
    ['#000000', '#ffffff', 3, ['margin']],
  ] as const)('of %s on %s with a margin of %i: %j', (foreground, background, margin, expected) => {
    expect(warningsOf({ foreground, background, margin })).toEqual(expected)
  })
})

it('a logo takes at least level Q', () => {
  expect(levelOf({ level: 'L', logo: 'own' })).toBe('Q')
  expect(levelOf({ level: 'H', logo: 'own' })).toBe('H')
  expect(levelOf({ level: 'L', logo: 'none' })).toBe('L')
})
