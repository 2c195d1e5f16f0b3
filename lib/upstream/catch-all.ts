import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { SingleFlight } from '@/lib/tools/single-flight'
import { MINUTE } from '@/lib/tools/time'
import { decodeText, parseUrl } from '@/lib/tools/url'
import type { Upstream, UpstreamReply } from './upstream'

/** How long what it answers to a code that nobody has is taken to be the same, in ms. */
const LIFETIME = 5 * MINUTE
/** The same where it gave no answer: it is asked again soon. */
const RETRY = 5_000

/** A code that nobody has, in characters that every shortener takes. */
export const codeOfNobody = () =>
  `terse${BigInt(`0x1${randomBytes(16).toString('hex')}`)
    .toString(36)
    .slice(-20)}`

interface Told {
  code: string
  said: UpstreamReply
}

/**
 * Old shorteners that redirect what they do not know: to a page of theirs, to a site that searches for it. Creating links
 * from these would create one for every code that anyone tries. So each is asked now and then for a code that nobody has.
 */
export class CatchAlls {
  private readonly told = new LRUCache<string, Told>({ max: 1_000 })
  private readonly flights = new SingleFlight<Told>()

  /** @param fetch what asks for a short link. Never throws */
  constructor(private readonly fetch: (upstream: Upstream, shortUrl: URL) => Promise<UpstreamReply>) {}

  /**
   * Whether a code leads where each code leads that it does not know.
   * @param location where it leads
   * @returns null where that cannot be told now
   */
  async answersAnyCode(upstream: Upstream, shortUrl: URL, location: string): Promise<boolean | null> {
    const { code, said } = await this.askUnknownCode(upstream, shortUrl)
    if (said.kind === 'failed') return null
    return said.kind === 'redirect' && isSame(said.location, code, location, shortUrl.pathname.slice(1))
  }

  private async askUnknownCode(upstream: Upstream, shortUrl: URL): Promise<Told> {
    // What lies deeper may be answered by something else.
    const parts = shortUrl.pathname.slice(1).split('/').length
    const key = `${upstream.url} ${upstream.host ?? shortUrl.host} ${parts}`
    const known = this.told.get(key)
    if (known) return known
    return this.flights.run(key, async () => {
      const code = Array.from({ length: parts }, codeOfNobody).join('/')
      const told = { code, said: await this.fetch(upstream, new URL(`/${code}`, shortUrl)) }
      this.told.set(key, told, { ttl: told.said.kind === 'failed' ? RETRY : LIFETIME })
      return told
    })
  }
}

/** Whether two locations are the same but for the code in them, however that is encoded there. */
function isSame(told: string, nobody: string, location: string, path: string): boolean {
  const code = decodeText(path)
  const would = [
    told.replaceAll(nobody, () => path),
    told.replaceAll(nobody, () => code),
    told.replaceAll(encodeURIComponent(nobody), () => encodeURIComponent(code)),
  ]
  const wanted = location.toLowerCase()
  return would.some((text) => (parseUrl(text)?.href ?? text).toLowerCase() === wanted)
}
