import type { z } from 'zod'
import { textOf } from '@/lib/forms/fields'
import { writeNumber } from '@/lib/series/format'
import type { CreateSeries, SeriesView } from '@/lib/series/schemas'
import type { Check, DatePattern, SeriesKind } from '@/lib/series/values'

/** What of a format is chosen rather than typed. */
export interface Format {
  date: DatePattern
  check: Check
}

/** A number that looks drawn at random. */
const EXAMPLE = 4_827_163
/** Digits that a number has where nothing else was typed. */
const DIGITS = 5

/** A number that was typed; as it was typed, where it is none, for the server to say so. */
function numberOf(data: FormData, name: string): number | undefined {
  const text = textOf(data, name).trim()
  if (text === '') return undefined
  return /^\d{1,15}$/.test(text) ? Number(text) : (text as unknown as number)
}

/** What is sent. @param rest in hours; '': never */
export function bodyOf(kind: SeriesKind, rest: string, { date, check }: Format, data: FormData): z.input<typeof CreateSeries> {
  const number = (name: string) => numberOf(data, name) as number
  const format = { prefix: textOf(data, 'format.prefix').trim(), date, digits: number('format.digits'), check }
  const name = textOf(data, 'name').trim()
  if (kind === 'shuffled') return { name, kind, keepDays: number('keepDays'), format }
  if (kind === 'counter')
    return { name, kind, first: number('first'), step: number('step'), keepDays: number('keepDays'), format }
  if (kind === 'bitmap') return { name, kind, size: number('size'), format }
  const again = rest === '' ? null : Number(rest) * 3_600
  return { name, kind, start: number('start'), max: number('max'), step: number('step'), rest: again, format }
}

/** A number of a series, as an example. */
export function numberLike({ kind, start, first, size = 1, format }: SeriesView): string {
  const number = kind === 'shuffled' ? shuffledExample(format.digits) : (start ?? first ?? Math.min(EXAMPLE, size - 1))
  return writeNumber(format, number, new Date())
}

const shuffledExample = (digits: number) => Number(String(EXAMPLE).slice(0, digits))

/** What a number would look like. @param typed nothing yet: null */
export function exampleOf(kind: SeriesKind, { date, check }: Format, prefix: string, typed: FormData | null): string {
  const data = typed ?? new FormData()
  const digits = Math.min(Math.max(Number(numberOf(data, 'format.digits')) || DIGITS, 1), 12)
  const first = Number(numberOf(data, kind === 'cycle' ? 'start' : 'first') ?? 1)
  const number = kind === 'shuffled' ? shuffledExample(digits) : Number.isSafeInteger(first) ? first : 1
  return writeNumber({ prefix: prefix.trim(), date, digits, check }, number, new Date())
}

/** How many numbers a series has; null: there is no end. */
export function sizeOf({ kind, start = 0, max = 0, step = 1, size = 0 }: SeriesView): number | null {
  if (kind === 'cycle') return (max - start) / step + 1
  return kind === 'bitmap' ? size : null
}

/** Whether all numbers were drawn, and none comes again. @param left how many can be drawn now */
export const isUsedUp = ({ rest = null }: SeriesView, left: number | null): boolean => left === 0 && rest === null

/** What numbers of a new series begin with until something else is typed: a name, where they could not be back-halves without. */
export const proposedPrefix = (kind: SeriesKind, name: string): string =>
  (kind === 'cycle' || kind === 'bitmap') && name !== ''
    ? `${name
        .replace(/[^A-Za-z0-9_-]/g, '')
        .slice(0, 19)
        .replace(/-$/, '')}-`
    : ''
