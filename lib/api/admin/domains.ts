import { addDomain, listDomains, removeDomain, updateDomain, verifyDomain } from '@/lib/admin/domains'
import { CreateDomain, DomainList, DomainView, UpdateDomain } from '@/lib/admin/schemas'
import { TerseError } from '@/lib/errors'
import { endpoint } from '../endpoint'
import { json } from '../problem'
import { adminAction, LOOKING } from './action'

export const getDomains = endpoint(
  {
    ...LOOKING,
    path: '/api/v1/admin/domains',
    summary: 'List domains',
    answers: { 200: ['The domains', DomainList] },
  },
  async ({ ctx }) => json(200, { domains: await listDomains(ctx) }),
)

export const postDomain = adminAction(
  {
    method: 'POST',
    path: '/api/v1/admin/domains',
    summary: 'Add a domain',
    proof: 'key',
    action: 'domain.add',
    body: CreateDomain,
    answers: { 201: ['The domain, and what proves that it is yours', DomainView] },
    errors: [409],
  },
  async ({ ctx, body }) => {
    const domain = await addDomain(ctx, body)
    return { target: domain.host, answer: domain, status: 201 }
  },
)

export const patchDomain = adminAction(
  {
    method: 'PATCH',
    path: '/api/v1/admin/domains/{id}',
    summary: 'Change a domain',
    proof: 'key',
    action: 'domain.change',
    body: UpdateDomain,
    answers: { 200: ['The domain as it is now', DomainView] },
    errors: [409],
  },
  async ({ ctx, params, body }) => {
    const domain = await updateDomain(ctx, idOf(params), body)
    return { target: domain.host, details: body, answer: domain }
  },
)

export const postVerify = adminAction(
  {
    method: 'POST',
    path: '/api/v1/admin/domains/{id}/verify',
    summary: 'Verify a domain',
    proof: 'key',
    action: 'domain.verify',
    answers: { 200: ['The domain as it is now', DomainView] },
    errors: [409, 422],
  },
  async ({ ctx, params }) => {
    const domain = await verifyDomain(ctx, idOf(params))
    return { target: domain.host, answer: domain }
  },
)

export const deleteDomain = adminAction(
  {
    method: 'DELETE',
    path: '/api/v1/admin/domains/{id}',
    summary: 'Remove a domain',
    proof: 'key',
    action: 'domain.remove',
    answers: { 204: 'Removed' },
    errors: [409],
  },
  async ({ ctx, params }) => {
    const { host } = await removeDomain(ctx, idOf(params))
    return { target: host }
  },
)

function idOf({ id = '' }: Record<string, string>): number {
  if (!/^\d{1,9}$/.test(id)) throw new TerseError('not_found', 'There is no such domain.')
  return Number(id)
}
