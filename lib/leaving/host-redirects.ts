import { isWeb } from '@/lib/tools/schemes'
import { hashComment, type SetFormat, type SetWriter } from './set-writer'
import type { StaticLink } from './static-link'

/** Cloudflare takes so many rules without placeholders, and passes over longer lines. */
const CLOUDFLARE = { most: 2_000, characters: 1_000 }

/** `_redirects`, as Netlify and Cloudflare read it: a line has path, destination and status. */
class HostRedirectsWriter implements SetWriter {
  private lines = 0
  private long = 0

  head(notes: readonly string[]): string {
    return hashComment(notes)
  }

  add({ code, url, status }: StaticLink): string | { leftOut: 'scheme' } {
    if (!isWeb(url)) return { leftOut: 'scheme' }
    // An asterisk or a colon would stand for anything.
    const path = encodeURI(`/${code}`).replaceAll('*', '%2A').replaceAll(':', '%3A').replaceAll('#', '%23').replaceAll('?', '%3F')
    const line = `${path} ${url} ${status}`
    this.lines += 1
    if (line.length > CLOUDFLARE.characters) this.long += 1
    return `${line}\n`
  }

  end(_hosts: readonly string[], notes: readonly string[]): string {
    const more = this.lines > CLOUDFLARE.most ? [`Cloudflare takes ${CLOUDFLARE.most} of these ${this.lines} lines.`] : []
    const long = this.long > 0 ? [`Lines that are too long for Cloudflare, which passes over them: ${this.long}`] : []
    return hashComment([...notes, ...more, ...long])
  }
}

export const hostRedirects: SetFormat = {
  file: '_redirects',
  type: 'text/plain; charset=utf-8',
  knowsTime: false,
  isOfOneHost: true,
  limits: [
    'For Netlify and Cloudflare: put it into the folder that you publish. Its lines have no host, so each file is for one domain.',
    `Cloudflare takes ${CLOUDFLARE.most} lines of up to ${CLOUDFLARE.characters} characters each. Netlify states no limit, and asks for fewer than 10,000.`,
    'Only destinations with http and https. What becomes of a query behind the short link is up to them: both may pass it on.',
    'On domains that ignore case, only the spelling in small letters works.',
  ],
  writer: () => new HostRedirectsWriter(),
}
