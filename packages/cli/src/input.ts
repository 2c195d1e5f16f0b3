import { readFileSync } from 'node:fs'
import { UsageError } from './exit.js'

/** As messages name a file. */
export const nameOf = (file: string) => (file === '-' ? 'standard input' : file)

/** The text of a file; of standard input for `-`. @throws UsageError where it can't be read */
export function readText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    throw new UsageError(`Can’t read ${nameOf(file)}: ${error instanceof Error ? error.message : error}`)
  }
}
