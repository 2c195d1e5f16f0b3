import { expect, it } from 'vitest'
import { fieldsOf, timeOf } from './fields.js'

const NOW = Date.UTC(2026, 0, 1)

it.each([
  ['30d', '2026-01-31T00:00:00.000Z'],
  ['90m', '2026-01-01T01:30:00.000Z'],
  ['2026-12-24', '2026-12-24T00:00:00.000Z'],
  ['2026-12-24 18:00', '2026-12-24T18:00:00.000Z'],
  ['2026-12-24T18:00', '2026-12-24T18:00:00.000Z'],
  ['2026-12-24T18:00+02:00', '2026-12-24T16:00:00.000Z'],
  ['', null],
])('the time %s', (text, time) => {
  expect(timeOf(text, NOW)).toBe(time)
})

it.each(['soon', '30', '2026-13-01', '24.12.2026', '1y'])('%s is no time', (text) => {
  expect(() => timeOf(text, NOW)).toThrow('isn’t a time')
})

it('an empty text stands for none, and any property can be set', () => {
  expect(fieldsOf({ folder: '', expires: '', maxClicks: '', title: '', tag: [''] })).toEqual({
    ...{ folder: null, expiresAt: null, maxClicks: null, title: '', tags: [] },
  })
  expect(fieldsOf({ set: ['listed=true', 'preview={"source":"destination"}', 'comment=a=b'] })).toEqual({
    ...{ listed: true, preview: { source: 'destination' }, comment: 'a=b' },
  })
  expect(() => fieldsOf({ set: ['listed'] })).toThrow('name=value')
  expect(() => fieldsOf({ maxClicks: '-1' })).toThrow('isn’t a number')
})
