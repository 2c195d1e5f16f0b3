import { z } from 'zod'
import type { Account } from '@/lib/actor'
import type { By } from '@/lib/audit/audit'
import { isUniqueViolation } from '@/lib/db/errors'
import { booleanQuery, escapeLike, searchedWords } from '@/lib/db/full-text'
import type { BlockRule, Prisma } from '@/lib/db/generated/client'
import { nextId } from '@/lib/db/id'
import { invalidField, TerseError } from '@/lib/errors'
import { inParts } from '@/lib/jobs/parts'
import type { JobView } from '@/lib/jobs/schemas'
import { createJob, type JobMaker, requireRoom } from '@/lib/jobs/store'
import { Admin } from '@/lib/links/bulk-job'
import type { LinkContext } from '@/lib/links/context'
import { linesOf } from '@/lib/tools/lines'
import { BlockRules, hostOfLine, normaliseRule } from './rules'
import type { ActOnMatches, BlocklistQuery, BlockRuleView, CreateBlockRule } from './schemas'

/** Existing links that one rule is held against while its adding is answered; a job looks at all of them. */
const LOOKED_AT = 20_000
const FOUND_AT_MOST = 1_000

/** @throws TerseError 'bad_request', 'unavailable' */
export async function listRules(
  ctx: Pick<LinkContext, 'db'>,
  { limit, cursor, kind, q }: z.output<typeof BlocklistQuery>,
): Promise<{ rules: BlockRuleView[]; nextCursor: string | null }> {
  if (cursor !== undefined && !/^\d{1,19}$/.test(cursor)) throw new TerseError('bad_request', 'This cursor is not one of ours.')
  const where: Prisma.BlockRuleWhereInput = {
    ...(cursor === undefined ? {} : { id: { lt: BigInt(cursor) } }),
    ...(kind === undefined ? {} : { kind }),
    ...(q ? { value: { contains: escapeLike(q.toLowerCase()) } } : {}),
  }
  const rows = await ctx.db.read((client) => client.blockRule.findMany({ where, orderBy: { id: 'desc' }, take: limit + 1 }))
  const page = rows.slice(0, limit)
  const rules = await withNames(ctx, page)
  return { rules, nextCursor: rows.length > limit ? (page.at(-1)?.id.toString() ?? null) : null }
}

/**
 * Adds a rule, and counts links that it would have refused.
 * @throws TerseError 'validation_failed', 'conflict', 'unavailable'
 */
export async function addRule(
  ctx: LinkContext,
  account: Account,
  input: z.output<typeof CreateBlockRule>,
): Promise<BlockRuleView> {
  const value = normaliseRule(input.kind, input.value)
  if (value === null) throw invalidField('value', WRONG[input.kind])
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
    throw new TerseError('conflict', 'This is blocked already.', {
      errors: [{ path: 'value', message: 'This is blocked already.' }],
    })
  }
  await ctx.blocklist.refresh()
  return { ...toView(row, account.handle), ...(await countMatches(ctx, row)) }
}

const WRONG = {
  host: 'Enter a host name or an address, such as bad.example.',
  suffix: 'Enter a domain, such as bad.example: it and all below it will be blocked.',
  word: 'Enter a word.',
  client: 'Enter an address or a CIDR range, such as 203.0.113.0/24.',
} as const

/** @throws TerseError 'not_found', 'unavailable' */
export async function removeRule(ctx: LinkContext, id: bigint): Promise<BlockRule> {
  const rule = await findRule(ctx, id)
  await ctx.db.write((client) => client.blockRule.deleteMany({ where: { id } }))
  await ctx.blocklist.refresh()
  return rule
}

export async function findRule(ctx: Pick<LinkContext, 'db'>, id: bigint): Promise<BlockRule> {
  const rule = await ctx.db.read((client) => client.blockRule.findUnique({ where: { id } }))
  if (!rule) throw new TerseError('not_found', 'There is no such rule.')
  return rule
}

/** What the job is told: which of the two to do. */
export const BlocklistInput = z.discriminatedUnion('task', [
  z.object({
    task: z.literal('act'),
    ruleId: z.string(),
    action: z.enum(['disable', 'ban', 'delete']),
    reason: z.string(),
    admin: Admin,
  }),
  // Those queued by an earlier release hold their lines here.
  z.object({ task: z.literal('import'), lines: z.array(z.string()).optional(), reason: z.string() }),
])
export type BlocklistInput = z.infer<typeof BlocklistInput>

/** Queues something to be done to all links that a rule matches. */
export async function queueMatches(
  ctx: LinkContext,
  by: By & { account: Account },
  id: bigint,
  { action, reason }: z.output<typeof ActOnMatches>,
): Promise<{ rule: BlockRule; job: JobView }> {
  const rule = await findRule(ctx, id)
  if (rule.kind === 'client') throw new TerseError('conflict', 'Who made a link is not kept: this rule matches no links.')
  const { id: adminId, handle, email } = by.account
  const admin = { account: { id: adminId, handle, email }, address: by.address }
  const input: BlocklistInput = { task: 'act', ruleId: rule.id.toString(), action, reason: reason || rule.reason, admin }
  const title = `${{ disable: 'Disable', ban: 'Ban', delete: 'Delete' }[action]} links that match “${rule.value}”`
  return { rule, job: await createJob(ctx, by, { kind: 'blocklist', title, input, total: 0 }) }
}

/** Lines of one list, and characters of one line that are looked at: a host name is shorter. */
const MAX_LINES = 500_000
const MAX_LINE = 400

/**
 * Queues the import of a host file, or of one host a line.
 * @throws TerseError 'validation_failed' when it names no host or has too many lines, 'conflict', 'forbidden', 'unavailable'
 */
export async function queueImport(ctx: LinkContext, by: JobMaker, text: string, reason: string): Promise<JobView> {
  await requireRoom(ctx, by.account)
  const lines: string[] = []
  let names = false
  // Here only as far as to the first host: reading all of a long list is for the job.
  for await (const some of linesOf(text, MAX_LINE)) {
    const written = some.filter((line) => /^\s*[^\s#]/.test(line))
    names ||= written.some((line) => hostOfLine(line) !== null)
    lines.push(...written)
    if (lines.length > MAX_LINES) throw invalidField('', `Import at most ${MAX_LINES.toLocaleString('en')} lines at a time.`)
  }
  if (!names) throw invalidField('', 'No line of this list names a host.')
  const input: BlocklistInput = { task: 'import', reason }
  const title = `Block the hosts of a list of ${lines.length.toLocaleString('en')} lines`
  return createJob(ctx, by, { kind: 'blocklist', title, input, total: lines.length, parts: await inParts(lines) })
}

/** How many links break a rule: of all that the full-text index finds, else of the newest. `more`: there are others. */
async function countMatches(ctx: LinkContext, rule: BlockRule): Promise<{ matches: number; more: boolean }> {
  if (rule.kind === 'client') return { matches: 0, more: false }
  const rules = new BlockRules([{ ...rule, kind: rule.kind as 'host' }])
  const words = rule.kind === 'word' ? null : booleanQuery(searchedWords(rule.value).filter((word) => word.length > 3))
  const columns = 'code, title, url, expiredUrl FROM Link'
  const rows =
    words === null
      ? await ctx.db.scan<Candidate>(`${columns} ORDER BY id DESC LIMIT ${LOOKED_AT}`)
      : await ctx.db.scan<Candidate>(
          `${columns} WHERE MATCH(searchText) AGAINST(? IN BOOLEAN MODE) LIMIT ${FOUND_AT_MOST}`,
          words,
        )
  const matches = rows.filter((row) => rules.broken(row) !== null).length
  return { matches, more: rows.length === (words === null ? LOOKED_AT : FOUND_AT_MOST) }
}

type Candidate = Pick<Prisma.LinkGetPayload<object>, 'code' | 'title' | 'url' | 'expiredUrl'>

async function withNames(ctx: Pick<LinkContext, 'db'>, rows: BlockRule[]): Promise<BlockRuleView[]> {
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
