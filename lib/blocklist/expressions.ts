import { createHash } from 'node:crypto'
import { unmapped } from '@/lib/net/address'
import { strip } from '@/lib/tools/strip'
import { parseUrl } from '@/lib/tools/url'

/**
 * What a list of threats names a page by, as Safe Browsing has it ("URLs and Hashing", v4): its host and up to four that it is
 * below, each with up to six of its paths. @returns none for what is not http(s)
 */
export function expressionsOf(href: string): string[] {
  const url = parseUrl(href)
  if (!url || !/^https?:$/.test(url.protocol)) return []
  const [path, query] = [canonicalPath(url.pathname), url.search === '?' ? '' : escaped(unescaped(url.search))]
  const paths = new Set([path + query, path])
  const segments = path.split('/').slice(1, -1)
  for (let count = 0; count <= Math.min(segments.length, 3); count++) {
    paths.add(
      `/${segments
        .slice(0, count)
        .map((segment) => `${segment}/`)
        .join('')}`,
    )
  }
  return hostsOf(url.hostname).flatMap((host) => [...paths].map((one) => host + one))
}

/** The first 8 bytes of an expression's hash. */
export const hashOf = (expression: string): bigint => createHash('sha256').update(expression).digest().readBigUInt64BE(0)

/** A host, and of the last five of its names all that has at least two. An address stands for itself, IPv4 in its one form. */
function hostsOf(hostname: string): string[] {
  const host = strip(unmapped(hostname), '.').replace(/\.{2,}/g, '.')
  if (/^[\d.]+$/.test(host) || host.startsWith('[')) return [host]
  const names = host.split('.')
  const last = names.slice(-5)
  const above = last.slice(0, -1).map((_, i) => last.slice(i).join('.'))
  return [...new Set([host, ...above])].slice(0, 5)
}

function canonicalPath(pathname: string): string {
  // Once more, for dots and slashes that were escaped.
  const plain = unescaped(pathname).replace(/\/{2,}/g, '/')
  const segments: string[] = []
  for (const segment of plain.split('/').slice(1)) {
    if (segment === '..') segments.pop()
    else if (segment !== '.') segments.push(segment)
  }
  const path = `/${segments.join('/')}`
  return escaped(/\/\.{0,2}$/.test(plain) && !path.endsWith('/') ? `${path}/` : path)
}

/** Bytes as letters, without their escapes, however often they were escaped. */
function unescaped(text: string): string {
  let plain = Buffer.from(text).toString('latin1')
  for (let i = 0; i < 16; i++) {
    const next = plain.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    if (next === plain) break
    plain = next
  }
  return plain
}

const escaped = (plain: string) =>
  plain.replace(/[^!-~]|[#%]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
