import { addDomain, listDomains, removeDomain, updateDomain, verifyDomain } from '@/lib/domains/edit'
import { CreateDomain, DomainList, DomainView, UpdateDomain } from '@/lib/domains/schemas'
import { adminAction, LOOKING } from './admin-action'
import { endpoint } from './endpoint'
import { idOf } from './path'

export const getDomains = endpoint(
  'GET /api/v1/admin/domains',
  { ...LOOKING, summary: 'List domains', answers: { 200: ['The domains', DomainList] } },
  async ({ ctx }) => ({ domains: await listDomains(ctx) }),
)

export const postDomain = adminAction(
  'POST /api/v1/admin/domains',
  {
    summary: 'Add a domain',
    proof: 'key',
    action: 'domain.add',
    body: CreateDomain,
    answers: { 201: ['The new domain, with two ways to prove that you own it', DomainView] },
    errors: [409],
  },
  async ({ ctx, body }) => {
    const domain = await addDomain(ctx, body)
    return { target: domain.host, answer: domain }
  },
)

export const patchDomain = adminAction(
  'PATCH /api/v1/admin/domains/{id}',
  {
    summary: 'Edit a domain',
    proof: 'key',
    action: 'domain.change',
    body: UpdateDomain,
    answers: { 200: ['The updated domain', DomainView] },
    errors: [409],
  },
  async ({ ctx, params, body }) => {
    const domain = await updateDomain(ctx, Number(idOf(params, 'domain', 9)), body)
    return { target: domain.host, details: body, answer: domain }
  },
)

export const postVerify = adminAction(
  'POST /api/v1/admin/domains/{id}/verify',
  {
    summary: 'Verify a domain',
    proof: 'key',
    action: 'domain.verify',
    answers: { 200: ['The updated domain', DomainView] },
    errors: [409],
  },
  async ({ ctx, params }) => {
    const domain = await verifyDomain(ctx, Number(idOf(params, 'domain', 9)))
    return { target: domain.host, answer: domain }
  },
)

export const deleteDomain = adminAction(
  'DELETE /api/v1/admin/domains/{id}',
  { summary: 'Remove a domain', proof: 'key', action: 'domain.remove', answers: { 204: 'The domain is removed' }, errors: [409] },
  async ({ ctx, params }) => {
    const { host } = await removeDomain(ctx, Number(idOf(params, 'domain', 9)))
    return { target: host }
  },
)
