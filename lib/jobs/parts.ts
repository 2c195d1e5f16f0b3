import { Breath } from '@/lib/tools/breath'
import { ROWS_PER_PART } from './store'

/** Rows as a job keeps them, written in short stretches. */
export async function inParts(rows: readonly unknown[]): Promise<string[]> {
  const breath = new Breath()
  const parts: string[] = []
  for (let first = 0; first < rows.length; first += ROWS_PER_PART) {
    parts.push(JSON.stringify(rows.slice(first, first + ROWS_PER_PART)))
    if (breath.isDue) await breath.pause()
  }
  return parts
}
