import type { LinkContext } from './context'
import { listDeleted } from './deleted'
import type { LinkScope } from './filter'
import { listLinks, look, type Page, planOf, type Start } from './list'
import type { LinkTotal, ListLinks } from './schemas'
import { REACH } from './window'

/** Links are counted so far, */
const MOST = 1_000
/** and for about so long, in ms. */
const TIME = 150

/** A page of a list, with how many links the list holds where `total` asks for it. @throws as `listLinks` */
export async function listAndCount(ctx: LinkContext, scope: LinkScope, query: ListLinks): Promise<Page & { total?: LinkTotal }> {
  if (query.total !== 'true') return await listLinks(ctx, scope, query)
  const [page, total] = await Promise.all([listLinks(ctx, scope, query), countLinks(ctx, scope, query)])
  return { ...page, total }
}

/**
 * How many links a list holds, on all of its pages.
 * @param time for how long they are counted, in ms
 * @throws TerseError 'unavailable'
 */
export async function countLinks(ctx: LinkContext, scope: LinkScope, query: ListLinks, time = TIME): Promise<LinkTotal> {
  let count = 0
  const deadline = performance.now() + time
  for await (const { links, isLast } of stretches(ctx, scope, query)) {
    count += links
    if (count > MOST) return { count: MOST, more: true }
    if (!isLast && performance.now() > deadline) return { count, more: true }
  }
  return { count, more: false }
}

interface Stretch {
  links: number
  isLast: boolean
}

/** How many links each stretch of the list holds, until its end. */
async function* stretches(ctx: LinkContext, scope: LinkScope, query: ListLinks): AsyncGenerator<Stretch, void> {
  if (query.state === 'deleted') yield* deletedStretches(ctx, scope, query)
  else {
    // All orders hold the same; that of clicks leads straight to those with so many.
    const byClicks = query.q === undefined && (query.minClicks ?? query.maxClicks) !== undefined
    const sort = byClicks ? 'clicks' : 'newest'
    const { plan, named } = await planOf(ctx, scope, { ...query, sort }, Date.now(), REACH)
    for (let start: Start | null = plan && { after: null, way: 'window' }; plan && start; ) {
      const { keys, next, way } = await look(ctx, plan, start, MOST + 1)
      start = next && { after: next, way }
      yield { links: keys.length + (next ? 0 : named.length), isLast: !next }
    }
    if (!plan) yield { links: named.length, isLast: true }
  }
}

async function* deletedStretches(ctx: LinkContext, scope: LinkScope, query: ListLinks): AsyncGenerator<Stretch, void> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { links, nextCursor } = await listDeleted(ctx, scope, { ...query, limit: MOST, cursor })
    cursor = nextCursor
    yield { links: links.length, isLast: cursor === null }
  }
}
