import { z } from 'zod'
import { addRule, listRules, queueImport, queueMatches, removeRule } from '@/lib/admin/blocklist'
import { ActOnMatches, BlocklistQuery, CreateBlockRule } from '@/lib/admin/schemas'
import { TerseError } from '@/lib/errors'
import { line } from '@/lib/tools/line'
import { readList } from '../body'
import { json, route } from '../route'
import { adminAction } from './action'

export const getRules = route({ auth: 'admin', proof: 'key', limit: 'account', query: BlocklistQuery }, async ({ ctx, query }) =>
  json(200, await listRules(ctx, query)),
)

export const postRule = adminAction(
  { proof: 'key', action: 'blocklist.add', body: CreateBlockRule },
  async ({ ctx, account, body }) => {
    const rule = await addRule(ctx, account, body)
    return { target: `${rule.kind} ${rule.value}`, details: { reason: rule.reason }, answer: rule, status: 201 }
  },
)

export const deleteRule = adminAction({ proof: 'key', action: 'blocklist.remove' }, async ({ ctx, params }) => {
  const { kind, value, reason } = await removeRule(ctx, idOf(params))
  return { target: `${kind} ${value}`, details: { reason } }
})

export const postAct = adminAction(
  { proof: 'key', action: 'blocklist.act', body: ActOnMatches },
  async ({ ctx, account, address, params, body }) => {
    const { rule, job } = await queueMatches(ctx, { account, address }, idOf(params), body)
    ctx.jobs.look()
    return { target: `${rule.kind} ${rule.value}`, details: { ...body, job: job.number }, answer: job, status: 202 }
  },
)

const ImportQuery = z.strictObject({ reason: line(255).default('') })

export const postImport = adminAction(
  { proof: 'key', action: 'blocklist.import', query: ImportQuery },
  async ({ ctx, account, address, request, query }) => {
    const job = await queueImport(ctx, { account, address }, await readList(request, 'text/plain'), query.reason)
    return { target: job.title, details: { reason: query.reason, job: job.number }, answer: job, status: 202 }
  },
)

function idOf({ id = '' }: Record<string, string>): bigint {
  if (!/^\d{1,19}$/.test(id)) throw new TerseError('not_found', 'There is no such rule.')
  return BigInt(id)
}
