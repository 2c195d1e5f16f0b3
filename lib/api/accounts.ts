import { createInvitation, listInvitations, revokeInvitation } from '@/lib/accounts/invitations'
import { adminAccount, listAccounts } from '@/lib/accounts/list'
import { tellOwner } from '@/lib/accounts/notices'
import { removeAccount } from '@/lib/accounts/remove'
import { sendResetLink } from '@/lib/accounts/reset'
import {
  AccountsQuery,
  AdminAccountPage,
  AdminAccountView,
  BanAccount,
  BanUsername,
  CreateInvitation,
  InvitationList,
  InvitationView,
  RemoveAccount,
  ResetLink,
  SetRole,
  UnbanUsername,
} from '@/lib/accounts/schemas'
import { banAccount, setRole, signOutEverywhere, unbanAccount } from '@/lib/accounts/standing'
import { banUsername, unbanUsername } from '@/lib/accounts/username'
import { adminAction, adminList, type Done, LOOKING } from './admin-action'
import { type Call, endpoint } from './endpoint'

type AdminCall = Call<unknown, unknown, 'admin'>

const CHANGED = { 200: ['The updated account', AdminAccountView] } as const

export const getAccounts = adminList('GET /api/v1/admin/accounts', 'List accounts', AccountsQuery, AdminAccountPage, listAccounts)

export const getAccount = endpoint(
  'GET /api/v1/admin/accounts/{id}',
  { ...LOOKING, summary: 'Retrieve an account', answers: { 200: ['The account', AdminAccountView] } },
  ({ ctx, params }) => adminAccount(ctx, params.id ?? ''),
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

export const postRole = adminAction(
  'POST /api/v1/admin/accounts/{id}/role',
  {
    summary: 'Edit an account’s role',
    proof: 'recent',
    action: 'account.role',
    body: SetRole,
    answers: CHANGED,
    errors: [409],
  },
  (call) => done(call, (id) => setRole(call.ctx, id, call.body.role), call.body),
)

export const postBan = adminAction(
  'POST /api/v1/admin/accounts/{id}/ban',
  { summary: 'Ban an account', proof: 'recent', action: 'account.ban', body: BanAccount, answers: CHANGED, errors: [409] },
  (call) => {
    const { reason, until } = call.body
    return done(call, (id) => banAccount(call.ctx, id, { reason, until: until === null ? null : new Date(until) }), call.body)
  },
)

export const postUnban = adminAction(
  'POST /api/v1/admin/accounts/{id}/unban',
  { summary: 'Unban an account', proof: 'recent', action: 'account.unban', answers: CHANGED },
  (call) => done(call, (id) => unbanAccount(call.ctx, id)),
)

export const postSignOut = adminAction(
  'POST /api/v1/admin/accounts/{id}/sign-out',
  { summary: 'Sign an account out everywhere', proof: 'recent', action: 'account.sign-out', answers: CHANGED },
  (call) => done(call, (id) => signOutEverywhere(call.ctx, id)),
)

/** The link itself is a secret, and so not written down. */
export const postReset = adminAction(
  'POST /api/v1/admin/accounts/{id}/reset',
  {
    summary: 'Create a password reset link',
    proof: 'recent',
    action: 'account.reset',
    answers: { 200: ['The reset link, which is also emailed if mail is set up', ResetLink] },
  },
  async ({ ctx, locale, params }) => {
    const { id, handle } = await adminAccount(ctx, params.id ?? '')
    const { url, sent, expiresAt } = await sendResetLink(ctx, id, locale)
    return { target: `account ${handle}`, details: { sent }, answer: { url, sent, expiresAt: expiresAt.toISOString() } }
  },
)

export const deleteAccount = adminAction(
  'DELETE /api/v1/admin/accounts/{id}',
  {
    summary: 'Delete an account',
    proof: 'recent',
    action: 'account.delete',
    body: RemoveAccount,
    answers: { 204: 'The account is deleted' },
    errors: [409],
  },
  async ({ ctx, params, body }) => {
    const { id, handle, email } = await adminAccount(ctx, params.id ?? '')
    await removeAccount(ctx, id, body.links)
    return { target: `account ${handle}`, details: { ...body, email } }
  },
)

export const postUsernameBan = adminAction(
  'POST /api/v1/admin/usernames/ban',
  {
    summary: 'Ban a username',
    description:
      'The account that has it loses it and is told by email. Nobody can take it, or one that looks like it, until it’s unbanned.',
    proof: 'recent',
    action: 'username.ban',
    body: BanUsername,
    answers: { 204: 'The username is banned' },
  },
  async ({ ctx, locale, body }) => {
    const holder = await banUsername(ctx, body.username)
    if (!holder) return { target: `username ${body.username}`, details: body }
    const handle = holder.handle ?? ''
    void tellOwner(ctx, holder, { kind: 'username ban', handle, ...body, username: holder.username ?? '' }, locale)
    return { target: `account ${handle}`, details: body }
  },
)

export const postUsernameUnban = adminAction(
  'POST /api/v1/admin/usernames/unban',
  {
    summary: 'Unban a username',
    description: 'Anyone can take it again.',
    proof: 'recent',
    action: 'username.unban',
    body: UnbanUsername,
    answers: { 204: 'The username is unbanned' },
  },
  async ({ ctx, body }) => {
    await unbanUsername(ctx, body.username)
    return { target: `username ${body.username}`, details: body }
  },
)

export const getInvitations = endpoint(
  'GET /api/v1/admin/invitations',
  { ...LOOKING, summary: 'List invitations', answers: { 200: ['The invitations', InvitationList] } },
  async ({ ctx }) => ({ invitations: await listInvitations(ctx) }),
)

export const postInvitation = adminAction(
  'POST /api/v1/admin/invitations',
  {
    summary: 'Create an invitation',
    proof: 'recent',
    action: 'invitation.create',
    body: CreateInvitation,
    answers: { 201: ['The new invitation, including its link', InvitationView] },
  },
  async ({ ctx, account, locale, body }) => {
    const invitation = await createInvitation(ctx, account, body, locale)
    return { target: `invitation ${invitation.id}`, details: body, answer: invitation }
  },
)

export const deleteInvitation = adminAction(
  'DELETE /api/v1/admin/invitations/{id}',
  {
    summary: 'Revoke an invitation',
    proof: 'recent',
    action: 'invitation.revoke',
    answers: { 204: 'The invitation is revoked' },
  },
  async ({ ctx, params }) => {
    await revokeInvitation(ctx, params.id ?? '')
    return { target: `invitation ${params.id}` }
  },
)
