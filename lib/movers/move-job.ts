import type { SqlTransaction } from '@/lib/db/sql'
import { isTerseError, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import type { JobKind } from '@/lib/jobs/runner'
import { JobEnded, type RunningJob, TurnOver } from '@/lib/jobs/running-job'
import type { LinkContext } from '@/lib/links/context'
import { importKind } from '@/lib/links/import-job'
import { ImportInput, requireSourceRoom } from '@/lib/links/import-queue'
import { ImportRow } from '@/lib/links/import-source'
import { NamedOwners } from '@/lib/links/named-owners'
import { SeenCodes } from '@/lib/links/seen-codes'
import type { Outbound } from '@/lib/net/outbound'
import { Answers } from './answers'
import { notAsExpected } from './errors'
import { MOVERS } from './kinds'
import { asker, type Cursor, countOf, fileAsker, type Live, type LivePage } from './live'
import { placer } from './place'
import { forgetSource, noteFailure, readSource, type Source, writePage } from './source'
import type { MovedFrom } from './sources'

/** How often in a row another system may not answer before an import is given up: about ten minutes. */
const MOST_FAILURES = 60
/** Pages of a list: ten times as many as one of the most links has. What never ends is none. */
const MOST_PAGES = 100_000
/** Characters of where a list goes on, as its column holds them. */
const LONGEST_PLACE = 2_000

export type MoveContext = LinkContext & { outbound: Outbound }

type MoveJob = RunningJob<ImportInput>

/**
 * An import (lib/links/import-job.ts) whose rows may first have to be fetched from another service: they are written down page by
 * page, with where to go on. Begun again, after a crash too, it goes on behind the last page. Then it is an import as of a
 * file.
 */
export function moveKind(): JobKind<MoveContext, ImportInput> {
  const pages: Pages = new Answers()
  return {
    input: ImportInput,
    async run(runtime, job) {
      const { live } = job.input
      if (live && job.done === 0 && job.resumeAt === '') await askForAll({ ...runtime, pages }, job, live)
      return importKind.run(runtime, job)
    },
  }
}

type Pages = Answers<{ page?: LivePage<Cursor>; away?: TerseError }>

async function askForAll(
  ctx: MoveContext & { pages: Pages },
  job: MoveJob,
  { from, address, domain }: NonNullable<ImportInput['live']>,
): Promise<void> {
  const { live } = MOVERS[from as MovedFrom] ?? {}
  if (!live) throw new TerseError('validation_failed', say('api.job.unknown'))
  try {
    const source = await readAll(ctx, job, { live, address: new URL(address), place: placer(ctx.domains, domain) })
    if (source.found === 0) throw new TerseError('validation_failed', say('api.import.noRows'))
    await job.total(source.found)
  } catch (error) {
    if (error instanceof JobEnded || error instanceof TurnOver) throw error
    if (isTerseError(error) && (error.code === 'unavailable' || error.code === 'rate_limited')) throw error
    // It fails, and never asks again.
    await forgetSource(ctx.db, job.row.id)
    throw error
  }
}

interface Asked {
  live: Live
  address: URL
  place: (row: ImportRow) => ImportRow
}

async function readAll(ctx: MoveContext & { pages: Pages }, job: MoveJob, { live, address, place }: Asked): Promise<Source> {
  let source = await readSource(ctx.db, ctx.config, job.row.id)
  if (source.next === null) return source
  const ask = asker(ctx.outbound, address, source.key)
  const file = fileAsker(ctx.outbound, address)
  const named = new NamedOwners()
  const seen = await seenBefore(job, source, named)
  while (source.next !== null) {
    const page = await pageOf(ctx, job, source, (next) => live.page(ask, next, file), address)
    const rows = page.rows.map(place).filter((row) => isNew(seen, row))
    const lined = rows.map((row, index) => ({ ...row, line: source.found + index + 1 }))
    for (const row of lined) named.add(row)
    const found = source.found + lined.length
    const isAll = page.isOnlyIfMissing === true && page.total !== null && found >= page.total
    const next = isAll || page.next === null ? null : { ...page.next, pages: Number(source.next.pages ?? 0) + 1 }
    if (next !== null && (next.pages > MOST_PAGES || JSON.stringify(next).length > LONGEST_PLACE)) throw notAsExpected()
    const unlisted = page.isOnlyIfMissing === true && next === null ? missing(page.total, found, address) : []
    const before = source
    source = await ctx.db.transaction(async (tx) => {
      await job.requireTurn(tx)
      if (next === null) await noteOwners(tx, job, named)
      return writePage(tx, job.row.id, before, { rows: [...lined, ...unlisted], next })
    })
    requireSourceRoom(ctx, source)
    await job.total(Math.max(page.total ?? 0, source.found))
    await job.turn()
  }
  return source
}

/** Links that are counted there and that no order lists: a row of the import says how many, since nothing else would. */
function missing(total: number | null, found: number, { host }: URL): ImportRow[] {
  const count = (total ?? 0) - found
  return count > 0 ? [{ line: found + 1, fault: say('api.move.missing', { count, host }) }] : []
}

/** Written with the last page: whose the links are is asked before they are created. */
async function noteOwners(tx: SqlTransaction, { row, input }: MoveJob, owners: NamedOwners): Promise<void> {
  const { named } = owners.told(new Map(), {})
  if (named.length === 0) return
  await tx.run('UPDATE Job SET input = ? WHERE id = ?', [JSON.stringify({ ...input, named } satisfies ImportInput), row.id])
}

/** A page, or a pause: of another system that does not answer for long, the import fails. */
async function pageOf(
  ctx: MoveContext & { pages: Pages },
  job: MoveJob,
  { next, failures }: Source,
  ask: (next: Cursor) => Promise<LivePage<Cursor>>,
  { host }: URL,
): Promise<LivePage<Cursor>> {
  const asked = async () => {
    try {
      return { page: await ask(next ?? {}) }
    } catch (error) {
      // Told as a result, since a turn that ends while it is under way is told alike.
      if (isTerseError(error) && error.code === 'rate_limited') return { away: error }
      // What is read is not of the kind that it should be.
      throw error instanceof TypeError ? notAsExpected() : error
    }
  }
  const { page, away } = await ctx.pages.of(job, JSON.stringify(next), host, asked)
  // A total that is no number would be none in MySQL either.
  if (page) return { ...page, total: Number.isSafeInteger(page.total) ? countOf(page.total) : null }
  if (failures >= MOST_FAILURES) throw new TerseError('validation_failed', say('api.move.gone', { host }), { cause: away })
  await noteFailure(ctx.db, job.row.id)
  throw away
}

/** Pages shift while links are created there: one that came before is not taken again. Without a code, each is its own. */
function isNew(seen: SeenCodes, { domain = '', code }: ImportRow): boolean {
  if (code === undefined) return true
  const name = `${domain}/${code}`
  if (seen.before(name, 2) !== null) return false
  seen.add(name, 1)
  return true
}

async function seenBefore(job: MoveJob, { found }: Source, named: NamedOwners): Promise<SeenCodes> {
  const seen = new SeenCodes()
  for (let position = 0; position < found; ) {
    const { rows, first } = await job.part(ImportRow, position)
    for (const row of rows) {
      isNew(seen, row)
      named.add(row)
    }
    position = first + rows.length
  }
  return seen
}
