import fc from 'fast-check'
import { expect, it } from 'vitest'
import { contrast, mix, standOut, textOn } from './color'

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

it('contrast is what WCAG says it is', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
  expect(contrast('#0000ff', '#ffffff')).toBeCloseTo(8.59, 2)
})

it('mixed with a share of another color it lies between the two', () => {
  expect([mix('#102030', '#ffffff', 0), mix('#102030', '#ffffff', 1), mix('#000000', '#ffffff', 0.5)]).toEqual([
    '#102030',
    '#ffffff',
    '#808080',
  ])
})

it('text on any color can be read', () => {
  fc.assert(fc.property(color, (ground) => contrast(textOn(ground), ground) >= 4.5))
})

it('a color that stands out already stays as it is; any other is moved until it does', () => {
  expect(standOut('#1a4fd0', ['#ffffff'], 4.5, '#000000')).toBe('#1a4fd0')
  fc.assert(fc.property(color, (given) => contrast(standOut(given, ['#ffffff', '#f8f8f6'], 4.5, '#000000'), '#f8f8f6') >= 4.5))
})
