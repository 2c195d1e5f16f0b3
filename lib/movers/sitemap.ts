import { Parser } from 'htmlparser2'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import type { ImportRow } from '@/lib/links/import-source'
import { Breath } from '@/lib/tools/breath'
import { textOf } from '@/lib/tools/pieces-of-text'
import { live } from './live'
import type { Mover } from './mover'
import { rowOf } from './said'

/** Characters of an address that are kept. */
const LONGEST = 10_000
/** Elements within each other: a page of a sitemap is in the third, with its pictures in a few more. */
const DEEPEST = 16

/** Attributes of an element: a page has none, and the outermost some for its schemas. The parser keeps them all until it ends. */
const MOST_ATTRIBUTES = 100
/** Characters in which an element, a comment or a text has to end: the parser keeps them. */
const LONGEST_PART = 1_000_000

/**
 * A sitemap (sitemaps.org): each page becomes a link, whose code is generated. At its address it may be an index of sitemaps,
 * which are then read one after another.
 */
export const sitemap: Mover = {
  lines: (text) => pagesOf(text, null),
  live: live({
    key: null,
    begin: { at: 0 },
    async page(_ask, { at }, file) {
      const named: string[] = []
      const rows = await all(pagesOf(textOf(only(await file(null))), named))
      // An index has no pages of its own.
      const place = named[at]
      if (place === undefined) return { rows, total: null, next: null }
      const found = await all(pagesOf(textOf(only(await file(place))), null))
      return { rows: found, total: null, next: at + 1 < named.length ? { at: at + 1 } : null }
    },
  }),
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes
}

async function all(rows: AsyncIterable<ImportRow[]>): Promise<ImportRow[]> {
  const found: ImportRow[] = []
  for await (const some of rows) found.push(...some)
  return found
}

/**
 * The pages that a sitemap names.
 * @param named takes the addresses of the sitemaps that an index names; null: an index is refused
 * @throws TerseError 'validation_failed'
 */
async function* pagesOf(text: AsyncIterable<string>, named: string[] | null): AsyncGenerator<ImportRow[], void> {
  const breath = new Breath()
  const path: string[] = []
  let rows: ImportRow[] = []
  let address = ''
  let line = 1
  let from = 1
  let isSitemap = false
  let attributes = 0
  let unfinished = 0
  const noSitemap = () => new TerseError('validation_failed', say('api.import.noSitemap'))
  const parser = new Parser(
    {
      onopentagname() {
        attributes = 0
      },
      onattribute() {
        if (++attributes > MOST_ATTRIBUTES) throw noSitemap()
      },
      onopentag(name) {
        unfinished = 0
        const bare = name.toLowerCase()
        if (path.length === 0 && bare === 'sitemapindex') {
          if (named === null) throw new TerseError('validation_failed', say('api.import.sitemapIndex'))
          isSitemap = true
        }
        isSitemap ||= bare === 'urlset'
        // The parser's time for one more grows with their number.
        if (path.length >= DEEPEST) throw noSitemap()
        path.push(bare)
        if (bare === 'loc') {
          address = ''
          from = line
        }
      },
      ontext(text) {
        unfinished = 0
        if (path.at(-1) === 'loc' && isListed(path.at(-2)) && address.length < LONGEST) address += text
        line += text.split('\n').length - 1
      },
      onclosetag(name) {
        unfinished = 0
        if (path.at(-1) === name.toLowerCase()) path.pop()
        if (name.toLowerCase() !== 'loc') return
        if (path.at(-1) === 'sitemap') named?.push(address.slice(0, LONGEST).trim())
        if (path.at(-1) === 'url') rows.push(rowOf(from, { url: address.slice(0, LONGEST).trim() }))
      },
      onprocessinginstruction: (_name, data) => {
        line += data.split('\n').length - 1
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  for await (const piece of text) {
    // In pieces that take a short while each.
    for (let at = 0; at < piece.length; at += 8_192) {
      parser.write(piece.slice(at, at + 8_192))
      unfinished += 8_192
      if (unfinished > LONGEST_PART) throw noSitemap()
      if (breath.isDue) await breath.pause()
    }
    if (rows.length > 0) yield rows
    rows = []
  }
  parser.end()
  if (rows.length > 0) yield rows
  if (!isSitemap) throw noSitemap()
}

const isListed = (element: string | undefined) => element === 'url' || element === 'sitemap'
