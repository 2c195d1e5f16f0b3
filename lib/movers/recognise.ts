import type { MovedFrom } from './sources'

/** How much of a file is looked at, in bytes. */
export const RECOGNISED_BY = 16_384

/** Names of the tables that a dump creates or fills. */
const TABLE = /\b(?:CREATE TABLE(?: IF NOT EXISTS)?|INSERT INTO|COPY) (?:[`"]?\w{1,64}[`"]?\.)?[`"]?(\w{1,64})/gi

/** What others write, by how their files begin. What several systems write alike is taken for none of them. */
const TEXTS: readonly { from: MovedFrom; is: (text: string, tables: readonly string[]) => boolean }[] = [
  { from: 'sitemap', is: (text) => /^\s*</.test(text) && /<(?:urlset|sitemapindex)\b/i.test(text) },
  {
    from: 'yourls',
    is: (text, tables) =>
      tables.includes('yourls_url') || (tables.some((name) => name.endsWith('_url')) && /\bkeyword\b/i.test(text)),
  },
  { from: 'kutt', is: (text, tables) => tables.includes('links') && /\bbanned_by_id\b/i.test(text) },
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
  const tables = [...text.matchAll(TABLE)].map(([, name = '']) => name.toLowerCase())
  const found = TEXTS.find(({ is }) => is(text, tables))
  if (found) return found.from
  const [head = ''] = text.trimStart().split(/[\r\n]/, 1)
  const names = new Set(head.split(/[,;\t|]/).map(bareName))
  return TABLES.find(({ all, any }) => all.every((name) => names.has(name)) && any.some((name) => names.has(name)))?.from ?? null
}
