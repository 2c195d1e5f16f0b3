import { expect, it } from 'vitest'
import { COLUMN_NAMES, columnOf } from './properties'
import { CreateLink, LinkView } from './schemas'

/** What a request can say of a link that is no property: the password is kept as a hash alone, and `reuse` asks for no link. */
const NO_PROPERTY = ['password', 'reuse']

it('every field that a link is created with has its line in the table of properties', () => {
  const missing = Object.keys(CreateLink.shape).filter((name) => !(COLUMN_NAMES as string[]).includes(name))
  expect(missing).toEqual(NO_PROPERTY)
})

it('every property is told by the API by the name that an import reads', () => {
  // Of the first two an export tells more than the API: lib/links/export.ts. Whose they were only an import is told.
  const besides = ['enabled', 'passwordHash', 'owner']
  expect(COLUMN_NAMES.filter((name) => !(name in LinkView.shape))).toEqual(besides)
})

it('every name of a column means one property, in whatever case and with whatever marks', () => {
  for (const name of COLUMN_NAMES) expect(columnOf(name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase())).toBe(name)
  expect(columnOf('Visits')).toBe('clicksBefore')
  expect(columnOf('Unique visitors')).toBeNull()
})
