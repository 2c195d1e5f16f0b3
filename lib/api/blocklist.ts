import { z } from 'zod'
import { addRule, listRules, removeRule } from '@/lib/blocklist/edit'
import { queueImport, queueMatches } from '@/lib/blocklist/job'
import { ActOnMatches, BlocklistPage, BlocklistQuery, BlockRuleView, CreateBlockRule } from '@/lib/blocklist/schemas'
import { JobView } from '@/lib/jobs/schemas'
import { line } from '@/lib/tools/line'
import { adminAction, adminList } from './admin-action'
import { idOf } from './path'

export const getRules = adminList('GET /api/v1/admin/blocklist', 'List blocklist rules', BlocklistQuery, BlocklistPage, listRules)

export const postRule = adminAction(
  'POST /api/v1/admin/blocklist',
  {
    summary: 'Add a blocklist rule',
    proof: 'key',
    action: 'blocklist.add',
    body: CreateBlockRule,
    answers: { 201: ['The new rule', BlockRuleView] },
    errors: [409],
  },
  async ({ ctx, account, body }) => {
    const rule = await addRule(ctx, account, body)
    return { target: `${rule.kind} ${rule.value}`, details: { reason: rule.reason }, answer: rule }
  },
)

export const deleteRule = adminAction(
  'DELETE /api/v1/admin/blocklist/{id}',
  { summary: 'Remove a blocklist rule', proof: 'key', action: 'blocklist.remove', answers: { 204: 'The rule is removed' } },
  async ({ ctx, params }) => {
    const { kind, value, reason } = await removeRule(ctx, idOf(params, 'rule'))
    return { target: `${kind} ${value}`, details: { reason } }
  },
)

export const postAct = adminAction(
  'POST /api/v1/admin/blocklist/{id}/act',
  {
    summary: 'Turn off, ban, or delete all links that match a rule',
    proof: 'key',
    action: 'blocklist.act',
    body: ActOnMatches,
    answers: { 202: ['The job', JobView] },
  },
  async ({ ctx, account, address, locale, params, body }) => {
    const { rule, job } = await queueMatches(ctx, { account, address, locale }, idOf(params, 'rule'), body)
    return { target: `${rule.kind} ${rule.value}`, details: { ...body, job: job.number }, job }
  },
)

const ImportQuery = z.strictObject({ reason: line(255).default('') })

export const postImport = adminAction(
  'POST /api/v1/admin/blocklist/import',
  {
    summary: 'Import hosts to block',
    proof: 'key',
    action: 'blocklist.import',
    query: ImportQuery,
    body: z.string().meta({ description: 'A hosts file, or a list with one host per line.', example: 'hosts.txt' }),
    bodyType: 'text/plain',
    answers: { 202: ['The job', JobView] },
  },
  async ({ ctx, account, address, locale, body, query }) => {
    const job = await queueImport(ctx, { account, address, locale }, body, query.reason)
    return { target: `job ${job.number}`, details: { reason: query.reason, job: job.number }, job }
  },
)
