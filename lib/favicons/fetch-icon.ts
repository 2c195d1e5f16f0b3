import { type PublicAnswer, readPublic } from '@/lib/net/fetch'
import { parseUrl } from '@/lib/tools/url'
import { pictureType } from './picture'

/** A picture of a site, of a kind that holds no program. */
export interface Icon {
  type: string
  content: Buffer
}

/** In ms, for all that a site is asked. */
const PATIENCE = 8_000
/** What a picture may take. */
const MOST = 64 * 1024
/** How much of a page is looked through. */
const PAGE = 128 * 1024
const MOST_TAGS = 200
/** Characters. */
const MOST_TAG = 2_000
const MOST_REDIRECTS = 3

export type Read = (url: URL, maxBytes: number, signal: AbortSignal) => Promise<PublicAnswer>
/** The same until a site's time is over. */
type ReadInTime = (url: URL, maxBytes: number) => Promise<PublicAnswer>

const fromInternet: Read = (url, maxBytes, signal) => readPublic(url, { signal, maxBytes })

/**
 * The icon of a site: its /favicon.ico, or what its front page names. Each address, those of redirects too, is looked at by
 * `readPublic` before it is connected to.
 * @param host as URLs have it, without a port
 * @param patience for all of it, in ms
 * @returns null for a site that has none that can be shown, or does not answer
 */
export async function fetchIcon(host: string, readUntil: Read = fromInternet, patience = PATIENCE): Promise<Icon | null> {
  const root = parseUrl(`https://${host}/`)
  if (!root) return null
  const signal = AbortSignal.timeout(patience)
  const read: ReadInTime = async (url, maxBytes) => (signal.aborted ? NOTHING : readUntil(url, maxBytes, signal))
  return (await iconAt(new URL('/favicon.ico', root), read)) ?? (await namedIcon(root, read))
}

async function iconAt(url: URL, read: ReadInTime): Promise<Icon | null> {
  // One more than it may have: what is cut off is no picture.
  const found = await follow(url, read, MOST + 1)
  if (!found || found.body.length > MOST) return null
  const type = pictureType(found.body)
  return type === null ? null : { type, content: found.body }
}

async function namedIcon(root: URL, read: ReadInTime): Promise<Icon | null> {
  const page = await follow(root, read, PAGE)
  const named = page && iconsIn(page.body.toString('utf8'))[0]
  const url = named && parseUrl(named, page.url)
  return url ? iconAt(url, read) : null
}

/** What an address answers in the end, or null. */
async function follow(from: URL, read: ReadInTime, maxBytes: number): Promise<{ url: URL; body: Buffer } | null> {
  let url = from
  for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
    if (!/^https?:$/.test(url.protocol) || url.port !== '' || url.username !== '') return null
    const { status, location, body } = await read(url, maxBytes).catch(() => NOTHING)
    if (status === 200) return { url, body }
    const next = status >= 300 && status < 400 && location !== null ? parseUrl(location, url) : null
    if (!next) return null
    url = next
  }
  return null
}

const NOTHING: PublicAnswer = { status: 0, location: null, body: Buffer.alloc(0) }

/** What a page names as its icons, those made for small places first. */
export function iconsIn(html: string): string[] {
  const links = linksIn(html).map((attributes) => ({
    rel: (attributes.get('rel') ?? '').toLowerCase().split(/\s+/),
    href: (attributes.get('href') ?? '').trim().replaceAll('&amp;', '&'),
    type: (attributes.get('type') ?? '').toLowerCase(),
  }))
  const shown = links.filter(({ href, type }) => href !== '' && !type.includes('svg') && !/^data:|\.svg(\?|$)/i.test(href))
  const called = (name: string) => shown.filter(({ rel }) => rel.includes(name)).map(({ href }) => href)
  return [...called('icon'), ...called('apple-touch-icon')]
}

/**
 * The attributes of each link in a page's head. A stranger made the page, so it is gone through once, from the front: patterns
 * look for where a tag or an attribute begins, never for what may end anywhere, which takes the square of the page's length.
 */
function linksIn(html: string): Map<string, string>[] {
  const links: Map<string, string>[] = []
  for (const { 0: start, index } of html.matchAll(/<link\b|<\/head\b/gi)) {
    const tag = html.slice(index, index + MOST_TAG)
    const end = tag.indexOf('>')
    if (start.startsWith('</') || end === -1 || links.length === MOST_TAGS) break
    links.push(attributesOf(tag.slice(start.length, end)))
  }
  return links
}

/** Names in small letters, and what they are set to. A name alone counts, too: a match never fails behind it, to begin again. */
const attributesOf = (text: string) =>
  new Map(
    Array.from(text.matchAll(/([^\s=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|(\S+)))?/g), ([, name = '', double, single, bare]) => [
      name.toLowerCase(),
      double ?? single ?? bare ?? '',
    ]),
  )
