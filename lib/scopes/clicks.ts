import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { shortUrlOf } from '@/lib/links/view'
import { listClicksOf } from '@/lib/stats/clicks'
import { latestNotesOf } from '@/lib/stats/notes'
import type { LinkClicks } from '@/lib/stats/top'
import { fewMembers, MOST_LINKS } from './members'
import type { ScopeClickPage, ScopeClicksInput, ScopeNotes } from './schemas'
import { findScope, type Scope, type ScopeContext, type ScopeQuery } from './scope'

/**
 * A scope whose clicks can be told one by one, and its links that were ever clicked.
 * @throws TerseError 'conflict' where these are too many, 'validation_failed', 'not_found', 'unavailable'
 */
export async function findFew(
  ctx: ScopeContext,
  ownerId: string,
  query: ScopeQuery,
): Promise<{ scope: Scope; members: LinkClicks[] }> {
  const scope = await findScope(ctx, ownerId, query)
  const members = await fewMembers(ctx.db, scope)
  if (members === null) throw new TerseError('conflict', say('api.stats.manyLinks', { most: MOST_LINKS }))
  return { scope, members }
}

/**
 * A page of the single clicks of several links, newest first, bots and previews included.
 * @throws TerseError 'bad_request' (cursor), and as `findFew`
 */
export async function listScopeClicks(
  ctx: ScopeContext,
  ownerId: string,
  { tag, folder, domain, ...input }: ScopeClicksInput,
  now = new Date(),
): Promise<ScopeClickPage> {
  const { members } = await findFew(ctx, ownerId, { tag, folder, domain })
  const { clicks, nextCursor } = await listClicksOf(
    ctx,
    members.map(({ id }) => id),
    input,
    now,
  )
  const links = await shortUrlsOf(ctx, clicks)
  return {
    clicks: clicks.flatMap(({ linkId, click }) => withLink(click, links.get(linkId))),
    nextCursor,
  }
}

/** What was noted of several links, the latest 200, earliest first. @throws as `findFew` */
export async function listScopeNotes(ctx: ScopeContext, ownerId: string, query: ScopeQuery): Promise<ScopeNotes> {
  const { members } = await findFew(ctx, ownerId, query)
  const notes = await latestNotesOf(
    ctx,
    members.map(({ id }) => id),
  )
  const links = await shortUrlsOf(ctx, notes)
  return { notes: notes.flatMap(({ linkId, note }) => withLink(note, links.get(linkId))) }
}

/** The short URLs of links, by their ids. */
async function shortUrlsOf(ctx: ScopeContext, ofLinks: readonly { linkId: bigint }[]): Promise<Map<bigint, string>> {
  const rows = await ctx.db.read((client) =>
    client.link.findMany({
      where: { id: { in: [...new Set(ofLinks.map(({ linkId }) => linkId))] } },
      select: { id: true, code: true, fullShortUrl: true },
    }),
  )
  return new Map(rows.map((link) => [link.id, shortUrlOf(ctx, link)]))
}

/** Nothing of a link that was deleted meanwhile: what is of it went along. */
const withLink = <T>(one: T, shortUrl: string | undefined) => (shortUrl === undefined ? [] : [{ ...one, shortUrl }])
