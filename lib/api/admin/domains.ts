import { addDomain, listDomains, removeDomain, updateDomain, verifyDomain } from '@/lib/admin/domains'
import { CreateDomain, UpdateDomain } from '@/lib/admin/schemas'
import { TerseError } from '@/lib/errors'
import { json, route } from '../route'
import { adminAction } from './action'

export const getDomains = route({ auth: 'admin', proof: 'key', limit: 'account' }, async ({ ctx }) =>
  json(200, { domains: await listDomains(ctx) }),
)

export const postDomain = adminAction({ proof: 'key', action: 'domain.add', body: CreateDomain }, async ({ ctx, body }) => {
  const domain = await addDomain(ctx, body)
  return { target: domain.host, answer: domain, status: 201 }
})

export const patchDomain = adminAction(
  { proof: 'key', action: 'domain.change', body: UpdateDomain },
  async ({ ctx, params, body }) => {
    const domain = await updateDomain(ctx, idOf(params), body)
    return { target: domain.host, details: body, answer: domain }
  },
)

export const postVerify = adminAction({ proof: 'key', action: 'domain.verify' }, async ({ ctx, params }) => {
  const domain = await verifyDomain(ctx, idOf(params))
  return { target: domain.host, answer: domain }
})

export const deleteDomain = adminAction({ proof: 'key', action: 'domain.remove' }, async ({ ctx, params }) => {
  const { host } = await removeDomain(ctx, idOf(params))
  return { target: host }
})

function idOf({ id = '' }: Record<string, string>): number {
  if (!/^\d{1,9}$/.test(id)) throw new TerseError('not_found', 'There is no such domain.')
  return Number(id)
}
