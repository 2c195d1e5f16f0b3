import type { DatabaseGateway } from '@/lib/db/gateway'
import type { User } from '@/lib/db/generated/client'
import { TerseError } from '@/lib/errors'
import { isLanguage } from '@/lib/i18n/languages'
import { say } from '@/lib/i18n/message'
import type { AccountContext } from './context'
import { PASSWORD_PROVIDER } from './names'
import type { AccountView, UpdateAccount } from './schemas'
import { setUsername } from './username'

/**
 * An account as its owner sees it.
 * @throws TerseError 'not_found', 'unavailable'
 */
export async function viewAccount(ctx: AccountContext, userId: string): Promise<AccountView> {
  const user = await ctx.db.read((client) => client.user.findUnique({ where: { id: userId } }))
  if (!user) throw new TerseError('not_found', say('api.account.none'))
  return toView(ctx, user, await hasPassword(ctx.db, userId))
}

/**
 * Changes the named fields.
 * @throws as `viewAccount` and `setUsername`
 */
export async function updateAccount(ctx: AccountContext, userId: string, input: UpdateAccount): Promise<AccountView> {
  const { username, ...others } = input
  if (username !== undefined) await setUsername(ctx, userId, username)
  const changes = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined))
  await ctx.db.write((client) => client.user.updateMany({ where: { id: userId }, data: { ...changes, updatedAt: new Date() } }))
  return viewAccount(ctx, userId)
}

/** Whether an account can sign in with a password. @throws TerseError 'unavailable' */
export async function hasPassword(db: DatabaseGateway, userId: string): Promise<boolean> {
  const where = { userId, providerId: PASSWORD_PROVIDER, password: { not: null } }
  return (await db.read((client) => client.credential.count({ where }))) > 0
}

function toView({ config }: AccountContext, user: User, withPassword: boolean): AccountView {
  const handle = user.handle ?? ''
  return {
    id: user.id,
    handle,
    username: user.username,
    name: user.name,
    email: user.email,
    language: isLanguage(user.language) ? user.language : null,
    emailVerified: user.emailVerified,
    role: user.role === 'admin' ? 'admin' : 'user',
    hasPassword: withPassword,
    twoFactorEnabled: user.twoFactorEnabled,
    publicProfile: user.publicProfile,
    profileUrl: `${config.BASE_URL}/@${user.username ?? handle}`,
    createdAt: user.createdAt.toISOString(),
  }
}
