import { APIError, type BetterAuthPlugin, getCurrentAdapter } from 'better-auth'
import type { DBAdapter } from 'better-auth/types'
import type { Config } from '@/lib/config'
import { asText, type Message, say } from '@/lib/i18n/message'
import { sha256 } from '@/lib/tools/hash'

/** Someone who wants to have an account. */
export interface Applicant {
  email: string
  /** A provider vouches that the address is theirs. */
  emailVerified: boolean
  /** Token of the invitation that came along. */
  token: string | null
}

interface Invitation {
  tokenHash: Uint8Array
  email: string
  expiresAt: Date
  usedBy: string | null
}

/** Lets better-auth's adapter, and with it the transaction of a sign-up, reach invitations. */
export const invitationTable = {
  id: 'invitations',
  schema: {
    invitation: {
      fields: {
        tokenHash: { type: 'string', required: true, unique: true },
        email: { type: 'string', required: true },
        createdBy: { type: 'string', required: true },
        createdAt: { type: 'date', required: true },
        expiresAt: { type: 'date', required: true },
        usedBy: { type: 'string', required: false },
      },
    },
  },
} satisfies BetterAuthPlugin

/**
 * What SIGN_UP says to this applicant. An invitation is found by its token; where a provider vouches for an address,
 * also by that. An address alone that anyone may type opens nothing.
 * @returns the invitation that is to be used up; null where none is needed
 * @throws APIError SIGN_UP_CLOSED or INVITATION_NEEDED
 */
export async function admit(
  signUp: Config['SIGN_UP'],
  fallback: DBAdapter,
  { email, emailVerified, token }: Applicant,
): Promise<Invitation | null> {
  if (signUp === 'open') return null
  if (signUp === 'closed') throw refusal('SIGN_UP_CLOSED', say('forms.auth.closed'))
  const adapter = await getCurrentAdapter(fallback)
  const valid = { field: 'expiresAt', operator: 'gt', value: new Date() } as const
  const unused = { field: 'usedBy', value: null }
  const found =
    token !== null
      ? await adapter.findOne<Invitation>({ model: 'invitation', where: [byHash(sha256(token)), unused, valid] })
      : emailVerified
        ? await adapter.findOne<Invitation>({ model: 'invitation', where: [{ field: 'email', value: email }, unused, valid] })
        : null
  if (found && (found.email === '' || found.email === email.toLowerCase())) return found
  throw refusal('INVITATION_NEEDED', say(token === null ? 'forms.auth.invitationNeeded' : 'forms.auth.invitationBad'))
}

/**
 * Uses an invitation up for the account `userId`, in the transaction that makes it.
 * @throws APIError INVITATION_NEEDED when someone else was faster
 */
export async function redeem(fallback: DBAdapter, { tokenHash }: Invitation, userId: string): Promise<void> {
  const adapter = await getCurrentAdapter(fallback)
  const where = [byHash(tokenHash), { field: 'usedBy', value: null }]
  const used = await adapter.updateMany({ model: 'invitation', where, update: { usedBy: userId } })
  if (used !== 1) throw refusal('INVITATION_NEEDED', say('forms.auth.invitationUsed'))
}

/** The adapter knows no type for bytes, and hands them on as they are. */
const byHash = (hash: Uint8Array) => ({ field: 'tokenHash', value: hash as unknown as string })

const refusal = (code: string, message: Message) => new APIError('FORBIDDEN', { code, message: asText(message) })
