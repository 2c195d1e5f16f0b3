import type { MovedFrom } from './sources'

/** How much of a file is looked at, in bytes. */
export const RECOGNISED_BY = 16_384

/** What others write, by how their files begin. What several systems write alike is taken for none of them. */
const TEXTS: readonly { from: MovedFrom; is: RegExp }[] = [
  { from: 'sitemap', is: /^\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*|<\?[^>]*>\s*)*<(urlset|sitemapindex)\b/i },
  {
    from: 'yourls',
    is: /\b(CREATE TABLE|INSERT INTO)\s[^;(]*?\w*_url[`"]?\s*\([\s\S]*?\bkeyword\b|\bINSERT INTO\s+[`"]?yourls_url\b/i,
  },
  { from: 'kutt', is: /\b(CREATE TABLE|INSERT INTO|COPY)\s[^;(]*?\blinks[`"]?\s*\([\s\S]*?\bbanned_by_id\b/i },
]

/** Columns that only they have together, as `bareName` writes them. */
const TABLES: readonly { from: MovedFrom; all: readonly string[]; any: readonly string[] }[] = [
  {
    from: 'bitly',
    all: ['longurl'],
    any: ['bitlink', 'customlink', 'custombitlink', 'custombitlinks', 'createdate', 'engagements', 'totalengagements'],
  },
  { from: 'shlink', all: ['longurl', 'shortcode'], any: ['visits', 'domain', 'shorturl'] },
  { from: 'kutt', all: ['address', 'target'], any: ['visitcount', 'createdat', 'expirein', 'description', 'uuid'] },
  { from: 'yourls', all: ['keyword', 'url'], any: ['ip', 'timestamp'] },
  { from: 'dub', all: ['shortlink', 'destinationurl'], any: ['clicks', 'createdat', 'tags'] },
]

const bareName = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Which system wrote a file, by its beginning; null where that cannot be told. */
export function recognise(beginning: string): MovedFrom | null {
  const text = beginning.replace(/^\uFEFF/, '')
  const found = TEXTS.find(({ is }) => is.test(text))
  if (found) return found.from
  const [head = ''] = text.trimStart().split(/[\r\n]/, 1)
  const names = new Set(head.split(/[,;\t|]/).map(bareName))
  return TABLES.find(({ all, any }) => all.every((name) => names.has(name)) && any.some((name) => names.has(name)))?.from ?? null
}
