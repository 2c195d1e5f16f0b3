import type { z } from 'zod'
import type { Account } from '@/lib/actor'
import { isUniqueViolation } from '@/lib/db/errors'
import type { DatabaseGateway } from '@/lib/db/gateway'
import type { BlockRule, Prisma } from '@/lib/db/generated/client'
import { nextId } from '@/lib/db/id'
import { escapeLike } from '@/lib/db/like'
import { marks } from '@/lib/db/literal'
import { invalidField, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { indexedLinks } from '@/lib/search/candidates'
import { behindId, byId, pageOf } from '@/lib/tools/cursor'
import type { Blocklist } from './blocklist'
import { BlockRules, normaliseRule } from './rules'
import type { BlocklistQuery, BlockRuleView, CreateBlockRule } from './schemas'

/** What changing the rules stands on. */
export interface BlocklistContext {
  db: DatabaseGateway
  blocklist: Blocklist
}

type Context = Pick<BlocklistContext, 'db'>

/** Existing links that one rule is held against while its adding is answered; a job looks at all of them. */
const LOOKED_AT = 20_000
const FOUND_AT_MOST = 1_000

/** @throws TerseError 'bad_request', 'unavailable' */
export async function listRules(
  ctx: Context,
  { limit, cursor, kind, q }: z.output<typeof BlocklistQuery>,
): Promise<{ rules: BlockRuleView[]; nextCursor: string | null }> {
  const where: Prisma.BlockRuleWhereInput = {
    ...behindId(cursor),
    ...(kind === undefined ? {} : { kind }),
    ...(q ? { value: { contains: escapeLike(q.toLowerCase()) } } : {}),
  }
  const rows = await ctx.db.read((client) => client.blockRule.findMany({ where, orderBy: { id: 'desc' }, take: limit + 1 }))
  const { page, nextCursor } = pageOf(rows, limit, byId)
  const rules = await withNames(ctx, page)
  return { rules, nextCursor }
}

/**
 * Adds a rule, and counts links that it would have refused.
 * @throws TerseError 'validation_failed', 'conflict', 'unavailable'
 */
export async function addRule(
  ctx: BlocklistContext,
  account: Pick<Account, 'id' | 'handle'>,
  input: z.output<typeof CreateBlockRule>,
): Promise<BlockRuleView> {
  const value = normaliseRule(input.kind, input.value)
  if (value === null) throw invalidField('value', say(`api.rule.wrong.${input.kind}`))
  const row: BlockRule = {
    id: nextId(),
    kind: input.kind,
    value,
    reason: input.reason,
    createdBy: account.id,
    createdAt: new Date(),
  }
  try {
    await ctx.db.write((client) => client.blockRule.createMany({ data: [row] }))
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new TerseError('conflict', say('api.rule.there'), {
      errors: [{ path: 'value', message: say('api.rule.there') }],
    })
  }
  await ctx.blocklist.refresh()
  return { ...toView(row, account.handle), ...(await countMatches(ctx, row)) }
}

/** @throws TerseError 'not_found', 'unavailable' */
export async function removeRule(ctx: BlocklistContext, id: bigint): Promise<BlockRule> {
  const rule = await findRule(ctx, id)
  await ctx.db.write((client) => client.blockRule.deleteMany({ where: { id } }))
  await ctx.blocklist.refresh()
  return rule
}

export async function findRule(ctx: Context, id: bigint): Promise<BlockRule> {
  const rule = await ctx.db.read((client) => client.blockRule.findUnique({ where: { id } }))
  if (!rule) throw new TerseError('not_found', say('api.rule.none'))
  return rule
}

/**
 * How many links break a rule: of the newest, and for a host of all that the search index finds. `more`: there are, or may be,
 * others.
 */
async function countMatches({ db }: Context, rule: BlockRule): Promise<{ matches: number; more: boolean }> {
  if (rule.kind === 'client') return { matches: 0, more: false }
  const rules = new BlockRules([{ ...rule, kind: rule.kind as 'host' }])
  const newest = await db.scan<Candidate>(`${CANDIDATE} ORDER BY id DESC LIMIT ${LOOKED_AT}`)
  const older = rule.kind === 'word' ? null : await indexedLinks(db, rule.value, FOUND_AT_MOST)
  const rows = older?.length ? await db.rows<Candidate>(`SELECT ${CANDIDATE} WHERE id IN (${marks(older)})`, ...older) : []
  const broken = [...newest, ...rows].filter((row) => rules.broken(row) !== null)
  const matches = new Set(broken.map(({ id }) => id)).size
  const isWhole = newest.length < LOOKED_AT || (older !== null && older.length < FOUND_AT_MOST)
  return { matches: Math.min(matches, FOUND_AT_MOST), more: matches > FOUND_AT_MOST || !isWhole }
}

const CANDIDATE = 'id, code, title, url, expiredUrl, routing, preview FROM Link'
type Candidate = Pick<Prisma.LinkGetPayload<object>, 'id' | 'code' | 'title' | 'url' | 'expiredUrl' | 'routing' | 'preview'>

async function withNames(ctx: Context, rows: BlockRule[]): Promise<BlockRuleView[]> {
  const ids = [...new Set(rows.map(({ createdBy }) => createdBy))]
  const users = await ctx.db.read((client) =>
    client.user.findMany({ where: { id: { in: ids } }, select: { id: true, handle: true } }),
  )
  const handles = new Map(users.map((user) => [user.id, user.handle ?? '']))
  return rows.map((row) => toView(row, handles.get(row.createdBy) ?? ''))
}

function toView(row: BlockRule, createdBy: string): BlockRuleView {
  const { id, kind, value, reason, createdAt } = row
  return { id: id.toString(), kind: kind as BlockRuleView['kind'], value, reason, createdBy, createdAt: createdAt.toISOString() }
}
