import type { Actor } from '@/lib/actor'
import { isUniqueViolation } from '@/lib/db/errors'
import type { Link } from '@/lib/db/generated/client'
import { announceMany } from './announce'
import type { LinkContext } from './context'
import { createLink, type Draft, domainOf, draftOf, type New, withCode } from './create'
import { above, formersOf } from './former'
import { insertLinks } from './insert'
import { type Permitted, permitNew } from './permit'
import type { CreateLinkData } from './schemas'

/**
 * Makes many links at once, in the order given: their codes are claimed together and their rows inserted
 * by one statement. What needs a second look (a custom code, a claim that failed) is made singly.
 * Up to about 1,000 at a time is sensible.
 * @throws as `createLink`; what was made before stays
 */
export async function createLinks(ctx: LinkContext, actor: Actor, inputs: readonly CreateLinkData[]): Promise<New[]> {
  const results = new Map<number, New>()
  const drafts = new Map<number, { draft: Draft; link: Permitted<Link> }>()
  for (const [index, input] of inputs.entries()) {
    if (input.code !== undefined) continue
    const domain = await domainOf(ctx, input.domain)
    const draft = await draftOf(ctx, actor, domain, permitNew(ctx, actor, input))
    const [code] = ctx.codes.candidates(draft.url, actor.ownerId)
    if (code !== undefined && !ctx.blocklist.isBlocked({ code }))
      drafts.set(index, { draft, link: withCode(draft, domain.host, code) })
  }
  const claimed = await claimAll(ctx, drafts)
  if (
    claimed.length > 0 &&
    (await insertAll(
      ctx,
      claimed.map(({ link }) => link),
    ))
  ) {
    for (const { index, draft, link } of claimed) results.set(index, { link, isNew: true, manageToken: draft.manageToken })
  }
  const created: New[] = []
  for (const [index, input] of inputs.entries()) created.push(results.get(index) ?? (await createLink(ctx, actor, input)))
  return created
}

/** Those whose codes are ours now. */
async function claimAll(ctx: LinkContext, drafts: Map<number, { draft: Draft; link: Permitted<Link> }>) {
  const all = [...drafts].map(([index, made]) => ({ index, ...made }))
  const claims = await ctx.registry.claim(all.map(({ link }) => link.fullShortUrl))
  for (const claim of claims) ctx.metrics.claims.inc({ result: claim })
  const used = all.filter((_, position) => claims[position] === 'reclaimed').map(({ link }) => link.fullShortUrl)
  const formers = await formersOf(ctx, used)
  return all
    .filter((_, position) => claims[position] === 'claimed' || claims[position] === 'reclaimed')
    .map(({ link, ...rest }) => ({ ...rest, link: above(link, [formers.get(link.fullShortUrl)]) }))
}

/** Inserts all rows or none. False when the unique index refused one. */
async function insertAll(ctx: LinkContext, links: Permitted<Link>[]): Promise<boolean> {
  try {
    await ctx.db.write((client) => insertLinks(client, links))
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
  await announceMany(
    ctx,
    links.map(({ fullShortUrl: full, version }) => ({ full, version })),
  )
  return true
}
