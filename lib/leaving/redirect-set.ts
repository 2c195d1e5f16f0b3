import type { Link } from '@/lib/db/generated/client'
import type { LinkContext } from '@/lib/links/context'
import { linkPages, type WhichLinks } from '@/lib/links/pages'
import { hostOf } from '@/lib/links/view'
import { Breath } from '@/lib/tools/breath'
import { formatOf } from './formats'
import type { SetFormat } from './set-writer'
import { LEFT_OUT, type LeftOut, LOST, type Lost, lossesOf, type StaticLink, staticOf } from './static-link'
import type { SetName } from './values'

export type SetContext = Pick<LinkContext, 'config' | 'db' | 'domains'>

/** What came of the links of a set. */
export class SetSummary {
  links = 0
  written = 0
  readonly leftOut = new Map<LeftOut, number>()
  readonly lost = new Map<Lost, number>()

  noteLeftOut(why: LeftOut): void {
    this.leftOut.set(why, (this.leftOut.get(why) ?? 0) + 1)
  }

  noteLost(what: Lost): void {
    this.lost.set(what, (this.lost.get(what) ?? 0) + 1)
  }

  /** In lines of plain text. */
  get lines(): string[] {
    return [
      `${this.written} of ${this.links} links are in this set.`,
      ...Array.from(this.leftOut, ([why, count]) => `Left out: ${count} ${LEFT_OUT[why]}.`),
      ...Array.from(this.lost, ([what, count]) => `Of those in it, ${count} ${LOST[what]}.`),
    ]
  }
}

interface Asked {
  which: WhichLinks
  format: SetName
  /** ms since 1970; links are as they are then. */
  now: number
  /** Told what comes of the links, as it goes. */
  summary: SetSummary
}

/**
 * Links as a set of redirects, the oldest first: memory holds a bounded part of them. Its head says what no such set can carry
 * and what this format cannot, its end how many links that concerned.
 * @throws TerseError 'unavailable'
 */
export async function* exportSet(ctx: SetContext, { which, format: name, now, summary }: Asked): AsyncGenerator<string, void> {
  const format = formatOf(name)
  const host = which.domain?.host ?? (format.isOfOneHost ? ctx.domains.defaultHost : null)
  const baseHost = host ?? ctx.domains.baseHost
  const foldedHosts = ctx.domains.hosts.filter((one) => ctx.domains.isFolded(one))
  const writer = format.writer({ now, baseHost, foldedHosts })
  yield writer.head(notesOf(format, host, now))
  const hosts = new Set<string>()
  const breath = new Breath()
  for await (const links of linkPages(ctx, which)) {
    let text = ''
    for (const link of links) {
      if (breath.isDue) await breath.pause()
      summary.links += 1
      const found = placed(ctx, link, { format, host, now })
      const written = typeof found === 'string' ? { leftOut: found } : writer.add(found)
      if (typeof found === 'string' || typeof written !== 'string') {
        if (typeof written !== 'string') summary.noteLeftOut(written.leftOut)
        continue
      }
      text += written
      hosts.add(found.host)
      summary.written += 1
      for (const lost of [...lossesOf(link, found, format.knowsTime), ...(format.loses?.(found) ?? [])]) summary.noteLost(lost)
    }
    if (text !== '') yield text
  }
  yield writer.end([...hosts], summary.lines)
}

/** A link as a set of this format has it, or why it has not. @param place the host that the set is for; null: all */
function placed(
  ctx: SetContext,
  link: Link,
  place: { format: SetFormat; host: string | null; now: number },
): StaticLink | LeftOut {
  const { format, host, now } = place
  if (host !== null && hostOf(link.fullShortUrl) !== host) return 'domain'
  const found = staticOf(ctx, link, now)
  return typeof found !== 'string' && found.startsAt !== null && !format.knowsTime ? 'scheduled' : found
}

const notesOf = (format: SetFormat, host: string | null, now: number): string[] => [
  `Short links${host === null ? '' : ` of ${host}`}, as they were on ${new Date(now).toISOString()}. Made by Terse.`,
  '',
  ...format.limits,
  'No set of redirects can ask for a password, count clicks, or tell visitors apart. Left out are links with a password or a click limit,',
  'and those that are turned off, paused, banned or expired. Rules, splits and passed-on queries go: such links lead to their own destination.',
  format.knowsTime
    ? 'Links start and expire when they should.'
    : 'It cannot tell the time either: links that have not started are left out, and those that expire later go on leading where they lead today.',
  'Nothing is counted. How many links each of these concerned is said at the end.',
  '',
]
