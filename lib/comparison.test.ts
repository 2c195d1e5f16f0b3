import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { MOVERS } from './movers/kinds'

const page = readFileSync('docs/comparison.md', 'utf8')
const HEAD = '| | Terse | Dub | Shlink | Kutt | YOURLS | Sink |'

/** The cells of each row of the table, links as they are seen from the root. */
function rowsOf(file: string): string[][] {
  const [, table = ''] = readFileSync(file, 'utf8').split(HEAD)
  const [body = ''] = table.split('\n\n')
  return body
    .split('\n')
    .slice(2)
    .map((line) => line.replaceAll('](docs/', '](').split(' | '))
}

describe('the comparison with other shorteners', () => {
  const rows = rowsOf('docs/comparison.md')

  it('is the same in README.md and docs/comparison.md', () => {
    expect(rows.length).toBeGreaterThan(30)
    expect(rowsOf('README.md')).toEqual(rows)
  })

  it('says of each cell where it was read, or what is not known', () => {
    const named = rows.map(([name = '']) => name.replace('| ', ''))
    const silent = named.flatMap((name) => {
      const [, section = ''] = page.split(`\n### ${name}\n`)
      const [notes = ''] = section.split('\n#')
      const products = ['Terse', 'Dub', 'Shlink', 'Kutt', 'YOURLS', 'Sink']
      return products.filter((product) => !notes.includes(`**${product}**`)).map((product) => `${name}: ${product}`)
    })
    expect(silent.filter((cell) => !cell.startsWith('Speed of redirects'))).toEqual([])
  })

  it('names everything that links can be imported from, and what is asked by its API', () => {
    const [, section = ''] = page.split('\n### Import\n')
    const [note = ''] = section.split('\n- **Dub**')
    const namedIn = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort()
    const [byApi = ''] = note.split('from files')
    const live = Object.entries(MOVERS).filter(([, mover]) => mover.live)
    expect(namedIn(note)).toEqual(Object.keys(MOVERS).sort())
    expect(namedIn(byApi)).toEqual(live.map(([name]) => name).sort())
    const cell = rows.find(([name]) => name === '| Import')?.[1]?.toLowerCase() ?? ''
    expect(live.filter(([name]) => !cell.includes(name))).toEqual([])
  })
})
