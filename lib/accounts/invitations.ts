import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { Account } from '@/lib/actor'
import type { Invitation } from '@/lib/db/generated/client'
import { nextId } from '@/lib/db/id'
import { TerseError } from '@/lib/errors'
import type { Locale } from '@/lib/i18n/languages'
import { say } from '@/lib/i18n/message'
import { sha256 } from '@/lib/tools/hash'
import { DAY } from '@/lib/tools/time'
import type { AccountContext } from './context'
import { invitationMail } from './mails'
import type { CreateInvitation, InvitationView } from './schemas'

const LISTED = 200

/**
 * Invites someone, by mail where there are an address and a mail server.
 * @returns the invitation with its address, which is shown this once: only a hash of its token is kept
 * @throws TerseError 'unavailable'
 */
export async function createInvitation(
  ctx: AccountContext,
  account: Account,
  input: z.output<typeof CreateInvitation>,
  locale: Locale,
): Promise<InvitationView> {
  const token = randomBytes(24).toString('base64url')
  const now = Date.now()
  const invitation: Invitation = {
    id: nextId(),
    tokenHash: sha256(token),
    email: input.email.toLowerCase(),
    createdBy: account.id,
    createdAt: new Date(now),
    expiresAt: new Date(now + input.days * DAY),
    usedBy: null,
  }
  await ctx.db.write((client) => client.invitation.createMany({ data: [invitation] }))
  const url = `${ctx.config.BASE_URL}/invite/${token}`
  if (invitation.email !== '') void ctx.mailer.send(invitationMail(invitation.email, url, invitation.expiresAt, locale))
  return { ...viewOf(invitation, new Map([[account.id, account.handle]])), url }
}

/**
 * The latest invitations, newest first. Who made and who used one is told by handle; by '' once the account is gone.
 * @throws TerseError 'unavailable'
 */
export async function listInvitations(ctx: AccountContext): Promise<InvitationView[]> {
  return ctx.db.read(async (client) => {
    const invitations = await client.invitation.findMany({ orderBy: { id: 'desc' }, take: LISTED })
    const ids = invitations.flatMap(({ createdBy, usedBy }) => (usedBy === null ? [createdBy] : [createdBy, usedBy]))
    const users = await client.user.findMany({ where: { id: { in: ids } }, select: { id: true, handle: true } })
    const handles = new Map(users.map(({ id, handle }) => [id, handle ?? '']))
    return invitations.map((invitation) => viewOf(invitation, handles))
  })
}

/**
 * Takes an invitation back.
 * @param id as InvitationView has it
 * @throws TerseError 'not_found', also once it was used; 'unavailable'
 */
export async function revokeInvitation(ctx: AccountContext, id: string): Promise<void> {
  const where = { id: /^\d{1,19}$/.test(id) ? BigInt(id) : -1n, usedBy: null }
  const { count } = await ctx.db.write((client) => client.invitation.deleteMany({ where }))
  if (count === 0) throw new TerseError('not_found', say('api.account.noInvitation'))
}

/**
 * What the page of an invitation says: the address that it is for ('': anyone), or null when it is no longer good.
 * @throws TerseError 'unavailable'
 */
export async function findInvitation(ctx: AccountContext, token: string): Promise<{ email: string; expiresAt: Date } | null> {
  const where = { tokenHash: sha256(token), usedBy: null, expiresAt: { gt: new Date() } }
  return ctx.db.read((client) => client.invitation.findFirst({ where, select: { email: true, expiresAt: true } }))
}

function viewOf(invitation: Invitation, handles: ReadonlyMap<string, string>): InvitationView {
  const { id, email, createdBy, createdAt, expiresAt, usedBy } = invitation
  return {
    id: id.toString(),
    email,
    createdBy: handles.get(createdBy) ?? '',
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    usedBy: usedBy === null ? null : (handles.get(usedBy) ?? ''),
  }
}
