import type { ShareView } from '@/lib/shares/schemas'
import { mapped, send } from './http'
import type { LinkAccess, ScopeAccess } from './stats'

/** Statistics that the account shares. */

export interface NewShare {
  label: string
  password: string | null
  expiresAt: string | null
  embeddable: boolean
}

const targetOf = (access: LinkAccess | ScopeAccess) =>
  'code' in access ? { code: access.code, domain: access.domain } : access.scope

export const getShares = async (signal?: AbortSignal) =>
  mapped(await send<{ shares: ShareView[] }>('GET', '/api/v1/shares', { signal }), ({ shares }) => shares)

export const createShare = (access: LinkAccess | ScopeAccess, share: NewShare) =>
  send<ShareView>('POST', '/api/v1/shares', { body: { ...targetOf(access), ...share } })

export const revokeShare = (id: string) => send<undefined>('DELETE', `/api/v1/shares/${id}`)

/** Whether a share is of what this page shows. */
export function isOf({ kind, name }: ShareView, access: LinkAccess | ScopeAccess): boolean {
  if ('code' in access) return kind === 'link' && name === `${access.domain}/${access.code}`
  const { tag, folder, domain } = access.scope
  const [of, wanted] =
    tag !== undefined
      ? ['tag', tag]
      : folder !== undefined
        ? ['folder', folder]
        : domain !== undefined
          ? ['domain', domain]
          : ['all', '']
  return kind === of && name.toLowerCase() === wanted?.toLowerCase()
}
