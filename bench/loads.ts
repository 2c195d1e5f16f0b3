import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRandom, zipfDraws } from './random'
import { writeVisitors } from './visitors'
import type { Stock } from './world'

/** What is asked for, one request after the other, without end. */
export interface Load {
  /** The path of the i-th request. */
  path(i: number): string
  /** The same for wrk, from the i-th request on: a script of bench/wrk/ and its arguments. */
  script(from: number): { name: 'paths' | 'unknown'; args: string[] }
}

type Place = { dir: string }

/** Paths in their order, from the start again after the last. @param name of the file that wrk reads */
export function inTurn({ dir }: Place, name: string, paths: readonly string[]): Load {
  const file = join(dir, `${name}.paths`)
  writeFileSync(file, `${paths.join('\n')}\n`)
  const visitors = writeVisitors(dir)
  return {
    path: (i) => paths[i % paths.length] ?? '/',
    script: (from) => ({ name: 'paths', args: [visitors, file, String(from % paths.length)] }),
  }
}

export const oneLink = (place: Place, path: string): Load => inTurn(place, 'one', [path])

const DRAWS = 2 ** 20

/** The first `count` links of a stock, the more popular the more often (Zipf 1.0). */
export function zipf(place: Place, stock: Stock, count = stock.count): Load {
  const draws = zipfDraws(Math.min(count, stock.count), DRAWS, 2)
  return inTurn(
    place,
    `zipf-${count}-of-${stock.count}`,
    Array.from(draws, (rank) => stock.path(rank - 1)),
  )
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Codes that nobody has, each once. */
export function unknownCodes({ dir }: Place): Load {
  const visitors = writeVisitors(dir)
  const random = createRandom(4)
  const character = () => ALPHABET[Math.floor(random() * ALPHABET.length)]
  return {
    path: () => `/${Array.from({ length: 8 }, character).join('')}`,
    script: (from) => ({ name: 'unknown', args: [visitors, String(from + 1)] }),
  }
}
