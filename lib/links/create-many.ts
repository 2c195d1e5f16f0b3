import type { Actor } from '@/lib/actor'
import { MAX_ATTEMPTS } from '@/lib/codes/generate'
import { isUniqueViolation } from '@/lib/db/errors'
import type { SqlTransaction } from '@/lib/db/sql'
import { isTerseError, type TerseError } from '@/lib/errors'
import { noteEventsIn } from '@/lib/events/outbox'
import { fileNew } from '@/lib/labels/filing'
import { Breath } from '@/lib/tools/breath'
import { commitMany } from './announce'
import { refusalsBelow } from './below'
import type { Importer } from './came-over'
import { codeTaken } from './code-claims'
import { type Completed, type Completions, completeTaken, completing } from './complete'
import type { LinkContext } from './context'
import type { New } from './create'
import { byOwner, type Draft, domainOf, draftsOf, type Wanted, type WantedLink } from './draft'
import { isHeard, linkEvents, tellLate } from './events'
import { type Found, findCodes, foundOf, type Seeker, takenOf } from './find-codes'
import { takerOf } from './former'
import { insertManyLinks } from './insert'
import { refusalsOffline } from './offline'
import { type Coming, permitNew } from './permit'

/** What came of one of many: the link, or why there is none. */
export type Created = New | Completed | TerseError

/** Written with the links, or not at all. */
export type WriteBeside = (tx: SqlTransaction, created: readonly Created[]) => Promise<void>

/** A new link on its way, or why there is none. */
export type Prepared = Seeker | TerseError

/** How links are prepared that were somewhere else before. */
export interface Preparing extends Coming {
  /** Whose a link will be, where not the actor's. */
  ownerOf?: (input: WantedLink) => string | TerseError | undefined
  /** Who imports them: those that came over already are completed, where this may be (./came-over.ts). */
  importer?: Importer
  /** Told of all that may be, in their order, before anything is counted against a limit: an error refuses one. */
  screen?: (asked: readonly (Wanted | TerseError)[]) => Promise<(Wanted | TerseError)[]>
}

/** An error stands for a link that was refused before. */
export type Inputs = readonly (WantedLink | TerseError)[]

/**
 * The first half of creating many links. Each follows the rules of `createLink` and fails alone; MySQL and Redis are asked once
 * for all of them. Drafts the links and finds their codes, up to about 1,000 at a time; nothing is written.
 * @returns rows for the first of them: for all, unless the account may make fewer for now
 * @throws TerseError 'rate_limited' if it may make none, 'unavailable'
 */
export async function prepareMany(ctx: LinkContext, actor: Actor, inputs: Inputs, how: Preparing = {}): Promise<Prepared[]> {
  const rows = await draftEach(ctx, actor, inputs, how)
  const seekers = seekersOf(rows)
  await refuseOthers(ctx, actor, seekers)
  await findCodes(ctx, seekers)
  await completeTaken(ctx, seekers)
  return rows
}

/**
 * Those that want an address which someone else's link answers for get none, nor those that want a code which someone else made
 * offline.
 */
async function refuseOthers(ctx: LinkContext, actor: Actor, seekers: readonly Seeker[]): Promise<void> {
  for (const [ownerId, own] of byOwner(seekers, ({ draft }) => draft.row.ownerId)) {
    const places = own.map(({ host, chosen }) => ({ host, code: ctx.domains.codeOn(host, chosen ?? '') }))
    const refusals = await refusalsBelow(ctx, { ...actor, ownerId }, places)
    const chosen = own.filter((one) => one.chosen !== null)
    const wanted = chosen.map((one) => ({
      host: one.host,
      code: ctx.domains.codeOn(one.host, one.chosen ?? ''),
      url: one.draft.row.url,
    }))
    const offline = await refusalsOffline(ctx, ownerId, wanted)
    for (const [index, seeker] of own.entries()) seeker.found = refusals[index] ?? null
    for (const [index, seeker] of chosen.entries()) seeker.found ??= offline[index] ?? null
  }
}

/**
 * The other half.
 * @param writeBeside is called within the transaction that inserts the links
 * @returns what came of each
 * @throws TerseError 'unavailable'
 */
export async function insertMany(ctx: LinkContext, rows: readonly Prepared[], writeBeside?: WriteBeside): Promise<Created[]> {
  const seekers = seekersOf(rows)
  let created: Created[] = []
  await insertAll(ctx, seekers, async (tx, completions) => {
    created = rows.map((row) => createdOf(row, completions))
    await writeBeside?.(tx, created)
  })
  return created
}

const seekersOf = (rows: readonly Prepared[]) => rows.filter((row) => !isTerseError(row)) as Seeker[]

/** Asks whether each may be, and drafts those that may: as many as the account may make. */
async function draftEach(ctx: LinkContext, actor: Actor, inputs: Inputs, how: Preparing): Promise<Prepared[]> {
  const breath = new Breath()
  const permitted: (Wanted | TerseError)[] = []
  for (const input of inputs) {
    permitted.push(isTerseError(input) ? input : await permitEach(ctx, actor, input, how))
    if (breath.isDue) await breath.pause()
  }
  const asked = how.screen ? await how.screen(permitted) : permitted
  const drafts = await draftsOf(ctx, actor, asked.filter((one) => !isTerseError(one)) as Wanted[])
  const rows: Prepared[] = []
  let next = 0
  for (const one of asked) {
    if (isTerseError(one)) rows.push(one)
    else {
      const draft = drafts[next++]
      if (!draft) break
      rows.push(isTerseError(draft) ? draft : seekerOf(ctx, actor, one, draft, how.importer ?? null))
    }
  }
  return rows
}

async function permitEach(ctx: LinkContext, actor: Actor, input: WantedLink, how: Preparing): Promise<Wanted | TerseError> {
  try {
    const ownerId = how.ownerOf?.(input)
    if (isTerseError(ownerId)) return ownerId
    const permitted = permitNew(ctx, actor, input, how)
    return { input: permitted, domain: await domainOf(ctx, input.domain), ...(ownerId !== undefined && { ownerId }) }
  } catch (error) {
    // An outage is no fault of the link's.
    if (isTerseError(error) && error.code !== 'unavailable') return error
    throw error
  }
}

function seekerOf(ctx: LinkContext, actor: Actor, { input, domain }: Wanted, draft: Draft, importer: Importer | null): Seeker {
  const chosen = input.code ?? null
  const codes =
    chosen !== null
      ? [chosen].values()
      : ctx.codes.candidates(draft.row.url, draft.row.ownerId, ctx.domains.isFolded(domain.host))
  const by = takerOf(actor, draft.row)
  return { input, draft, importer, host: domain.host, chosen, codes, by, refusals: 0, found: null }
}

/** Inserts all, or none: the unique index has the last word, and who it refuses seeks another code. */
async function insertAll(
  ctx: LinkContext,
  seekers: readonly Seeker[],
  writeBeside: (tx: SqlTransaction, completions: Completions) => Promise<void>,
): Promise<void> {
  const told = new Set<string | null>()
  for (const ownerId of byOwner(seekers, ({ draft }) => draft.row.ownerId).keys()) {
    if (await isHeard(ctx, 'link.created', ownerId)) told.add(ownerId)
  }
  for (let fruitless = 0; ; ) {
    const found = foundOf(seekers)
    const complete = await completing(ctx, seekers)
    try {
      await commitMany(ctx, found, async (tx) => {
        if (found.length > 0) await insertManyLinks(tx, linksOf(found))
        const heard = linksOf(found).filter((link) => told.has(link.ownerId))
        if (heard.length > 0) await noteEventsIn(tx, linkEvents(ctx, 'link.created', heard))
        await fileNew(tx, filedOf(seekers))
        const { completions, edited } = await complete(tx)
        await writeBeside(tx, completions)
        return edited
      })
      break
    } catch (error) {
      if (!isUniqueViolation(error, 'Link_fullShortUrl_key')) throw error
      // While others create the same links one by one, each attempt may meet another of theirs.
      if ((await giveUpTaken(ctx, seekers)) === 0 && ++fruitless === MAX_ATTEMPTS) throw error
      await findCodes(ctx, seekers)
      await completeTaken(ctx, seekers)
    }
  }
  const untold = linksOf(foundOf(seekers)).filter((link) => !told.has(link.ownerId))
  const owners = new Set(untold.map(({ ownerId }) => ownerId))
  const late = (listening: ReadonlySet<string | null>) => untold.filter(({ ownerId }) => listening.has(ownerId))
  await tellLate(ctx, 'link.created', owners, (listening) => linkEvents(ctx, 'link.created', late(listening)))
}

const filedOf = (seekers: readonly Seeker[]) =>
  seekers.flatMap(({ found, draft: { filed } }) => (found && 'link' in found ? [{ link: found.link, filed }] : []))

const linksOf = (found: readonly Found[]) => found.map(({ link }) => link)

/** Those whose codes others have seek again, unless they were to have that one. @returns how many */
async function giveUpTaken(ctx: LinkContext, seekers: readonly Seeker[]): Promise<number> {
  const taken = await takenOf(
    ctx,
    foundOf(seekers).map(({ link }) => link.fullShortUrl),
  )
  const unknown: string[] = []
  let count = 0
  for (const seeker of seekers) {
    const { found, chosen } = seeker
    if (!found || !('link' in found) || !taken.has(found.link.fullShortUrl)) continue
    count += 1
    if (chosen === null) ctx.metrics.collisions.inc()
    if (found.outbox === null) unknown.push(found.link.fullShortUrl)
    seeker.found = chosen === null ? null : codeTaken(found.link.code)
  }
  // The filter did not know them, or it would not have come to this: tell it now.
  const entries = unknown.map((full) => ({ full, freedAt: null }))
  await ctx.registry.add(entries, 'current').catch(() => {})
  return count
}

function createdOf(row: Prepared, completions: Completions): Created {
  if (isTerseError(row)) return row
  const { found, draft } = row
  const completed = completions.get(row)
  if (completed) return completed
  if (!found || 'completes' in found) throw new Error('a link that has no code yet')
  return isTerseError(found) ? found : { isNew: true, link: found.link, manageToken: draft.manageToken, filing: draft.filing }
}
