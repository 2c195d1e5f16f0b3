import type { z } from 'zod'
import type { ClaimedLinks } from '@/lib/accounts/schemas'
import { type Result, send } from './http'
import { markClaimed, markDeclined, type RecentLink } from './recents'

/**
 * Takes links of this browser into the account that is signed in; they stay in the list without their keys. What the
 * server refuses is not offered again.
 */
export async function claimLinks(links: readonly RecentLink[]): Promise<Result<{ claimed: number; refused: number }>> {
  const tokens = links.flatMap(({ manageToken }) => (manageToken === null ? [] : [manageToken]))
  const result = await send<z.infer<typeof ClaimedLinks>>('POST', '/api/v1/account/claim', { body: { tokens } })
  if (!result.ok) return result
  const { claimed, refused } = result.value
  markClaimed(claimed)
  markDeclined(links)
  return { ok: true, value: { claimed: claimed.length, refused } }
}
