import { banAccount, signOutEverywhere, unbanAccount } from '@/lib/accounts/ban'
import { createInvitation, listInvitations, revokeInvitation } from '@/lib/accounts/invitations'
import { removeAccount } from '@/lib/accounts/remove'
import { sendResetLink } from '@/lib/accounts/reset'
import { setRole } from '@/lib/accounts/role'
import { adminAccount, listAccounts } from '@/lib/admin/accounts'
import { AccountsQuery, BanAccount, CreateInvitation, RemoveAccount, SetRole } from '@/lib/admin/schemas'
import { type Call, json, route } from '../route'
import { adminAction, type Done } from './action'

type AdminCall = Call<unknown, unknown, 'admin'>

export const getAccounts = route(
  { auth: 'admin', proof: 'key', limit: 'account', query: AccountsQuery },
  async ({ ctx, query }) => json(200, await listAccounts(ctx, query)),
)

export const getAccount = route({ auth: 'admin', proof: 'key', limit: 'account' }, async ({ ctx, params }) =>
  json(200, await adminAccount(ctx, params.id ?? '')),
)

/** Does something to the account that the path names, and answers what it is then. */
async function done(
  { ctx, params }: AdminCall,
  act: (id: string) => Promise<unknown>,
  details: Record<string, unknown> = {},
): Promise<Done> {
  const { id, handle } = await adminAccount(ctx, params.id ?? '')
  await act(id)
  return { target: `account ${handle}`, details, answer: await adminAccount(ctx, id) }
}

export const postRole = adminAction({ proof: 'recent', action: 'account.role', body: SetRole }, (call) =>
  done(call, (id) => setRole(call.ctx, id, call.body.role), call.body),
)

export const postBan = adminAction({ proof: 'recent', action: 'account.ban', body: BanAccount }, (call) => {
  const { reason, until } = call.body
  return done(call, (id) => banAccount(call.ctx, id, { reason, until: until === null ? null : new Date(until) }), call.body)
})

export const postUnban = adminAction({ proof: 'recent', action: 'account.unban' }, (call) =>
  done(call, (id) => unbanAccount(call.ctx, id)),
)

export const postSignOut = adminAction({ proof: 'recent', action: 'account.sign-out' }, (call) =>
  done(call, (id) => signOutEverywhere(call.ctx, id)),
)

/** The link itself is a secret, and so not written down. */
export const postReset = adminAction({ proof: 'recent', action: 'account.reset' }, async ({ ctx, params }) => {
  const { id, handle } = await adminAccount(ctx, params.id ?? '')
  const { url, sent, expiresAt } = await sendResetLink(ctx, id)
  return { target: `account ${handle}`, details: { sent }, answer: { url, sent, expiresAt: expiresAt.toISOString() } }
})

export const deleteAccount = adminAction(
  { proof: 'recent', action: 'account.delete', body: RemoveAccount },
  async ({ ctx, params, body }) => {
    const { id, handle, email } = await adminAccount(ctx, params.id ?? '')
    await removeAccount(ctx, id, body.links)
    return { target: `account ${handle}`, details: { ...body, email } }
  },
)

export const getInvitations = route({ auth: 'admin', proof: 'key', limit: 'account' }, async ({ ctx }) =>
  json(200, { invitations: await listInvitations(ctx) }),
)

export const postInvitation = adminAction(
  { proof: 'recent', action: 'invitation.create', body: CreateInvitation },
  async ({ ctx, account, body }) => {
    const invitation = await createInvitation(ctx, account, body)
    return { target: `invitation ${invitation.id}`, details: body, answer: invitation, status: 201 }
  },
)

export const deleteInvitation = adminAction({ proof: 'recent', action: 'invitation.revoke' }, async ({ ctx, params }) => {
  await revokeInvitation(ctx, params.id ?? '')
  return { target: `invitation ${params.id}` }
})
