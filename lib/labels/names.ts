import { normalised } from '@/lib/tools/normalised'

/** A name as it is stored: one form of each letter, and single spaces. */
export const normalName = (name: string): string => normalised('NFC', name).replace(/\s+/gu, ' ').trim()

/** A name as names are compared. */
export const nameKeyOf = (name: string): string => normalised('NFC', normalName(name).toLowerCase())

/** Names that are separated by commas, as forms and CSV have them. */
export const namesIn = (text: string): string[] =>
  text
    .split(',')
    .map(normalName)
    .filter((name) => name !== '')
