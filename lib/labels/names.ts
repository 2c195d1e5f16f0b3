import { normalised } from '@/lib/tools/normalised'

/** A name as it is stored: one form of each letter, and single spaces. */
export const normalName = (name: string): string => normalised('NFC', name).replace(/\s+/gu, ' ').trim()

/** A name as names are compared. */
export const nameKeyOf = (name: string): string => normalised('NFC', normalName(name).toLowerCase())

const ORDER = new Intl.Collator('en', { numeric: true })

/** In the order in which people look for names: “Tag 2” before “Tag 10”. */
export const byName = (one: { name: string }, other: { name: string }): number => ORDER.compare(one.name, other.name)

/** Names that are separated by commas, as forms and CSV have them. */
export const namesIn = (text: string): string[] =>
  text
    .split(',')
    .map(normalName)
    .filter((name) => name !== '')
