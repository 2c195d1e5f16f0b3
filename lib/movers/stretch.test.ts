import { describe, expect, it } from 'vitest'
import { isTerseError } from '@/lib/errors'
import { longestStretch } from '@/lib/testing/stretch'
import { MOVERS } from './kinds'
import { readMoved } from './read'
import type { MovedFrom } from './sources'

/** What a client sends is worked on for less than 50 ms at a stretch (DESIGN, section 4), and does not stay in memory. */
const MOST = 50
const MB = 1024 * 1024
const full = (piece: string, most = MB) => piece.repeat(Math.floor(most / piece.length))
const keys = Array.from({ length: 110_000 }, (_, n) => `"${n}":1`).join()

const HOSTILE: [what: string, from: MovedFrom, text: string][] = [
  ['short lines of a _redirects file', 'netlify', full('/a /b\n')],
  ['a source and spaces alone', 'cloudflare', full(`/a${' '.repeat(1_000)}\n`)],
  ['short rules of nginx', 'nginx', full('rewrite ^/a$ /b redirect;\n')],
  ['blocks of nginx without an end', 'nginx', full(`${'{'.repeat(20_000)}\n`)],
  ['braces of nginx that are half open', 'nginx', full('x{1')],
  ['short rules of Apache', 'apache', full('Redirect /a /b\n')],
  ['lines of Apache that are carried on', 'apache', full('a\\\n')],
  ['spaces before anything else', 'yourls', full(' ', 8 * MB)],
  ['a tag of ever new attributes', 'sitemap', `<urlset ${full('a0 ').replaceAll(/0/g, () => String(Math.random()).slice(2))}`],
  ['a tag without an end', 'sitemap', `<urlset ${full('a')}`],
  ['a comment without an end', 'sitemap', `<urlset><!-- ${full('a')}`],
  ['an address of entities', 'sitemap', `<urlset><url><loc>${full('a&amp;')}`],
  ['an object of very many names', 'other', `{${keys}}`],
  ['a list with an object of very many names', 'other', `[{${keys}}]`],
  ['very many countries', 'sink', `{"links":[{"slug":"a","url":"https://a.example/","geo":{${keys}}}]}`],
  ['quotes in the wrong place', 'other', `url,code\n${full('"\n')}`],
  ['tables without an end', 'yourls', full('CREATE TABLE a_url (a int);')],
]

async function readAll(from: MovedFrom, text: string): Promise<number> {
  async function* bytes() {
    for (let at = 0; at < text.length; at += 65_536) yield Buffer.from(text.slice(at, at + 65_536))
  }
  let rows = 0
  try {
    const file = { mover: MOVERS[from], bytes: bytes(), site: new URL('https://old.example') }
    for await (const some of readMoved(file, { unknown: new Set(), called: new Map() })) rows += some.length
  } catch (error) {
    if (!isTerseError(error)) throw error
  }
  return rows
}

describe('a file that means harm is read in short stretches:', () => {
  it.each(HOSTILE)('%s', async (_, from, text) => {
    // What is measured is what the file does, not the first use of a module.
    await readAll(from, text.slice(0, 2_000))
    let shortest = Number.POSITIVE_INFINITY
    for (let tries = 3; tries > 0 && shortest >= MOST; tries--) {
      shortest = Math.min(shortest, await longestStretch(() => readAll(from, text)))
    }
    expect(shortest).toBeLessThan(MOST)
  })
})

it('blocks of nginx that are deeper than any is are passed over, and what follows is read', async () => {
  const deep = `${'a {\n'.repeat(1_000)}location = /deep { return 301 /no; }\n${'}\n'.repeat(1_000)}`
  expect(await readAll('nginx', `${deep}location = /a { return 301 https://a.example/; }\n`)).toBe(1)
})
