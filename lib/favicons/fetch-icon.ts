import { type PublicAnswer, readPublic } from '@/lib/net/fetch'
import { parseUrl } from '@/lib/tools/url'

/** A picture of a site, of a kind that holds no program. */
export interface Icon {
  type: string
  content: Buffer
}

/** In ms, for each request. */
const TIMEOUT = 4_000
/** What a picture may take. */
const MOST = 64 * 1024
/** How much of a page is looked through. */
const PAGE = 256 * 1024
const MOST_REDIRECTS = 3

export type Read = (url: URL, maxBytes: number) => Promise<PublicAnswer>

const fromInternet: Read = (url, maxBytes) => readPublic(url, { timeout: TIMEOUT, maxBytes, accept: '*/*' })

/**
 * The icon of a site: its /favicon.ico, or what its front page names. Each address, those of redirects too, is looked at by
 * `readPublic` before it is connected to.
 * @param host as URLs have it, without a port
 * @returns null for a site that has none that can be shown, or does not answer
 */
export async function fetchIcon(host: string, read: Read = fromInternet): Promise<Icon | null> {
  const root = parseUrl(`https://${host}/`)
  if (!root) return null
  return (await iconAt(new URL('/favicon.ico', root), read)) ?? (await namedIcon(root, read))
}

async function iconAt(url: URL, read: Read): Promise<Icon | null> {
  // One more than it may have: what is cut off is no picture.
  const found = await follow(url, read, MOST + 1)
  if (!found || found.body.length > MOST) return null
  const type = pictureType(found.body)
  return type === null ? null : { type, content: found.body }
}

async function namedIcon(root: URL, read: Read): Promise<Icon | null> {
  const page = await follow(root, read, PAGE)
  const named = page && iconsIn(page.body.toString('utf8'))[0]
  const url = named && URL.parse(named, page.url)
  return url ? iconAt(url, read) : null
}

/** What an address answers in the end, or null. */
async function follow(from: URL, read: Read, maxBytes: number): Promise<{ url: URL; body: Buffer } | null> {
  let url = from
  for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
    if (!/^https?:$/.test(url.protocol) || url.port !== '' || url.username !== '') return null
    const { status, location, body } = await read(url, maxBytes).catch(() => NOTHING)
    if (status === 200) return { url, body }
    const next = status >= 300 && status < 400 && location !== null ? URL.parse(location, url) : null
    if (!next) return null
    url = next
  }
  return null
}

const NOTHING: PublicAnswer = { status: 0, location: null, body: Buffer.alloc(0) }

/** What a page names as its icons, those made for small places first. */
export function iconsIn(html: string): string[] {
  const links = (html.match(/<link\b[^>]*>/gi) ?? []).map((tag) => ({
    rel: attributeOf(tag, 'rel').toLowerCase().split(/\s+/),
    href: attributeOf(tag, 'href'),
    type: attributeOf(tag, 'type').toLowerCase(),
  }))
  const shown = links.filter(({ href, type }) => href !== '' && !type.includes('svg') && !/^data:|\.svg(\?|$)/i.test(href))
  const called = (name: string) => shown.filter(({ rel }) => rel.includes(name)).map(({ href }) => href)
  return [...called('icon'), ...called('apple-touch-icon')]
}

const attributeOf = (tag: string, name: string): string => {
  const [, double, single, bare] = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, 'i').exec(tag) ?? []
  return (double ?? single ?? bare ?? '').trim().replaceAll('&amp;', '&')
}

/** By its first bytes, whatever the site calls it. An SVG can hold scripts, and is none of these. */
const PICTURES = {
  'image/png': ['\u0089PNG\r\n\u001a\n'],
  'image/x-icon': ['\0\0\u0001\0'],
  'image/gif': ['GIF87a', 'GIF89a'],
  'image/jpeg': ['\u00ff\u00d8\u00ff'],
  'image/webp': ['RIFF'],
}

function pictureType(bytes: Buffer): string | null {
  const head = bytes.subarray(0, 16).toString('latin1')
  const [type = null] = Object.entries(PICTURES).find(([, starts]) => starts.some((start) => head.startsWith(start))) ?? []
  // So begin sound and film, too.
  return type === 'image/webp' && !head.startsWith('WEBP', 8) ? null : type
}
