import type { Actor } from '@/lib/actor'
import { MAX_ATTEMPTS } from '@/lib/codes/generate'
import { isUniqueViolation } from '@/lib/db/errors'
import type { SqlTransaction } from '@/lib/db/sql'
import { isTerseError, type TerseError } from '@/lib/errors'
import { Breath } from '@/lib/tools/breath'
import { commitMany } from './announce'
import { codeTaken } from './code-claims'
import type { LinkContext } from './context'
import type { New } from './create'
import { type Draft, domainOf, draftsOf, type Wanted } from './draft'
import { type Found, findCodes, foundOf, type Seeker, takenOf } from './find-codes'
import { insertManyLinks } from './insert'
import { permitNew } from './permit'
import type { CreateLinkData } from './schemas'

/** What came of one of many: the link, or why there is none. */
export type Created = New | TerseError

/** Written with the links, or not at all. */
export type WriteBeside = (tx: SqlTransaction, created: readonly Created[]) => Promise<void>

/** A new link on its way, or why there is none. */
export type Prepared = Seeker | TerseError

/** An error stands for a link that was refused before. */
export type Inputs = readonly (CreateLinkData | TerseError)[]

/**
 * The first half of creating many links. Each follows the rules of `createLink` and fails alone; MySQL and Redis are asked once
 * for all of them. Drafts the links and finds their codes, up to about 1,000 at a time; nothing is written.
 * @returns rows for the first of them: for all, unless the account may make fewer for now
 * @throws TerseError 'rate_limited' if it may make none, 'unavailable'
 */
export async function prepareMany(ctx: LinkContext, actor: Actor, inputs: Inputs): Promise<Prepared[]> {
  const rows = await draftEach(ctx, actor, inputs)
  await findCodes(ctx, seekersOf(rows))
  return rows
}

/**
 * The other half.
 * @param writeBeside is called within the transaction that inserts the links
 * @returns what came of each
 * @throws TerseError 'unavailable'
 */
export async function insertMany(ctx: LinkContext, rows: readonly Prepared[], writeBeside?: WriteBeside): Promise<Created[]> {
  const seekers = seekersOf(rows)
  await insertAll(ctx, seekers, async (tx) => writeBeside?.(tx, rows.map(createdOf)))
  return rows.map(createdOf)
}

const seekersOf = (rows: readonly Prepared[]) => rows.filter((row) => !isTerseError(row)) as Seeker[]

/** Asks whether each may be, and drafts those that may: as many as the account may make. */
async function draftEach(ctx: LinkContext, actor: Actor, inputs: Inputs): Promise<Prepared[]> {
  const breath = new Breath()
  const asked: (Wanted | TerseError)[] = []
  for (const input of inputs) {
    asked.push(isTerseError(input) ? input : await permitEach(ctx, actor, input))
    if (breath.isDue) await breath.pause()
  }
  const drafts = await draftsOf(ctx, actor, asked.filter((one) => !isTerseError(one)) as Wanted[])
  const rows: Prepared[] = []
  let next = 0
  for (const one of asked) {
    if (isTerseError(one)) rows.push(one)
    else {
      const draft = drafts[next++]
      if (!draft) break
      rows.push(seekerOf(ctx, actor, one, draft))
    }
  }
  return rows
}

async function permitEach(ctx: LinkContext, actor: Actor, input: CreateLinkData): Promise<Wanted | TerseError> {
  try {
    return { input: permitNew(ctx, actor, input), domain: await domainOf(ctx, input.domain) }
  } catch (error) {
    // An outage is no fault of the link's.
    if (isTerseError(error) && error.code !== 'unavailable') return error
    throw error
  }
}

function seekerOf(ctx: LinkContext, actor: Actor, { input, domain }: Wanted, draft: Draft): Seeker {
  const isCustom = input.code !== undefined
  const codes = isCustom ? [input.code ?? ''].values() : ctx.codes.candidates(draft.url, actor.ownerId)
  return { draft, host: domain.host, isCustom, codes, refusals: 0, found: null }
}

/** Inserts all, or none: the unique index has the last word, and who it refuses seeks another code. */
async function insertAll(
  ctx: LinkContext,
  seekers: readonly Seeker[],
  writeBeside: (tx: SqlTransaction) => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const found = foundOf(seekers)
    try {
      return await commitMany(ctx, found, async (tx) => {
        if (found.length > 0) await insertManyLinks(tx, linksOf(found))
        await writeBeside(tx)
      })
    } catch (error) {
      if (!isUniqueViolation(error, 'Link_fullShortUrl_key') || attempt === MAX_ATTEMPTS) throw error
      await giveUpTaken(ctx, seekers)
      await findCodes(ctx, seekers)
    }
  }
}

const linksOf = (found: readonly Found[]) => found.map(({ link }) => link)

/** Those whose codes others have seek again, unless they were to have that one. */
async function giveUpTaken(ctx: LinkContext, seekers: readonly Seeker[]): Promise<void> {
  const taken = await takenOf(
    ctx,
    foundOf(seekers).map(({ link }) => link.fullShortUrl),
  )
  const unknown: string[] = []
  for (const seeker of seekers) {
    const { found, isCustom } = seeker
    if (!found || !('link' in found) || !taken.has(found.link.fullShortUrl)) continue
    if (!isCustom) ctx.metrics.collisions.inc()
    if (found.outbox === null) unknown.push(found.link.fullShortUrl)
    seeker.found = isCustom ? codeTaken(found.link.code) : null
  }
  // The filter did not know them, or it would not have come to this: tell it now.
  const entries = unknown.map((full) => ({ full, freedAt: null }))
  await ctx.registry.add(entries, 'current').catch(() => {})
}

function createdOf(row: Prepared): Created {
  if (isTerseError(row)) return row
  const { found, draft } = row
  if (!found) throw new Error('a link that has no code yet')
  return isTerseError(found) ? found : { isNew: true, link: found.link, manageToken: draft.manageToken }
}
