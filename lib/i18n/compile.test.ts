import { expect, it } from 'vitest'
import { compileMessages } from './compile'

/** The prototypes of all objects within. */
const prototypesIn = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? [Object.getPrototypeOf(value), ...Object.values(value).flatMap(prototypesIn)] : []

it('what is compiled are plain objects and arrays, which is all that React sends to the browser', () => {
  const compiled = compileMessages({ count: '{count, plural, one {# <b>link</b>} other {{kind, select, a {A} other {B}}}}' })
  const odd = prototypesIn(compiled).filter((it) => it !== Object.prototype && it !== Array.prototype)
  expect(odd).toEqual([])
})
