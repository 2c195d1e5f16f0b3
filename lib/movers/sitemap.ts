import { Parser } from 'htmlparser2'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import type { ImportRow } from '@/lib/links/import-source'
import { Breath } from '@/lib/tools/breath'
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

/** A sitemap (sitemaps.org): each page becomes a link, whose code is generated. */
export const sitemap: Mover = {
  async *lines(text) {
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
          if (path.length === 0 && bare === 'sitemapindex')
            throw new TerseError('validation_failed', say('api.import.sitemapIndex'))
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
          if (path.at(-1) === 'loc' && path.at(-2) === 'url' && address.length < LONGEST) address += text
          line += text.split('\n').length - 1
        },
        onclosetag(name) {
          unfinished = 0
          if (path.at(-1) === name.toLowerCase()) path.pop()
          if (name.toLowerCase() === 'loc' && path.at(-1) === 'url')
            rows.push(rowOf(from, { url: address.slice(0, LONGEST).trim() }))
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
  },
}
