import { textOf } from './fields'

/** Fields of the page that imports links, of which there are as many as its file has columns, or its links have owners. */

/** Columns that a form without scripts asks about: others are what they are called. */
export const MOST_COLUMNS = 40

const NAME = 'named.'
const COLUMN = 'column.'
const OWNER = 'owners.'

/** What the fields of a column are called: for its name, since names of fields cannot be just anything, and for what it is. */
export const columnFields = (index: number) => ({ name: `${NAME}${index}`, property: `${COLUMN}${index}` })

/** What a field for the account of an owner is called. */
export const ownerField = (name: string) => `${OWNER}${name}`

/** What each column is, by its name; null: nobody was asked. */
export function columnsIn(data: FormData): Record<string, string> | null {
  const fields = Array.from({ length: MOST_COLUMNS }, (_, index) => columnFields(index)).filter(({ name }) => data.has(name))
  if (fields.length === 0) return null
  return Object.fromEntries(fields.map(({ name, property }) => [textOf(data, name), textOf(data, property)]))
}

/** Which account each owner is; null: nobody was asked. */
export function ownersIn(data: FormData): Record<string, string> | null {
  const fields = [...new Set(data.keys())].filter((name) => name.startsWith(OWNER))
  if (fields.length === 0) return null
  return Object.fromEntries(fields.map((name) => [name.slice(OWNER.length), textOf(data, name).trim()]))
}
