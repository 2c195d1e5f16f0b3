import { type Account, isBanned } from '@/lib/actor'
import { invalidField, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import type { AccountContext } from './context'
import { Handle, Username } from './schemas'
import { findByUsername } from './username'

/**
 * Whose links of an import are: by the names that the old system had for their owners.
 * @param owners for each name of the old system, an account here by its handle, username or email
 * @returns the same with the IDs of these accounts
 * @throws TerseError 'forbidden' for who is no admin and names another account, 'validation_failed' for an account that is not
 *   there or banned, 'unavailable'
 */
export async function resolveOwners(
  ctx: AccountContext,
  by: Pick<Account, 'id' | 'role'>,
  owners: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const ids = new Map<string, string>()
  const found = new Map<string, Awaited<ReturnType<typeof findCalled>>>()
  for (const [name, called] of Object.entries(owners)) {
    const account = called.trim().toLowerCase()
    if (account === '') continue
    const user = found.get(account) ?? (await findCalled(ctx, account))
    found.set(account, user)
    if (by.role !== 'admin' && user?.id !== by.id) throw new TerseError('forbidden', say('api.import.ownerAdmin'))
    if (!user || user.removal !== null || isBanned(user)) {
      throw invalidField(`owners.${name}`, say('api.import.owner', { account: called }))
    }
    ids.set(name, user.id)
  }
  return Object.fromEntries(ids)
}

/**
 * Which owners of an old system have an account here.
 * @returns for each name that is the email of an account, this email
 * @throws TerseError 'unavailable'
 */
export async function knownOwners({ db }: AccountContext, names: readonly string[]): Promise<Map<string, string>> {
  const emailOf = (name: string) => name.trim().toLowerCase()
  const emails = [...new Set(names.map(emailOf))].filter((name) => name.includes('@'))
  const users = await db.read((client) => client.user.findMany({ where: { email: { in: emails }, removal: null } }))
  const there = new Set(users.filter((user) => !isBanned(user)).map(({ email }) => email))
  return new Map(names.map((name) => [name, emailOf(name)] as const).filter(([, email]) => there.has(email)))
}

async function findCalled(ctx: AccountContext, called: string) {
  const { db } = ctx
  if (called.includes('@') && !called.startsWith('@')) {
    return db.read((client) => client.user.findUnique({ where: { email: called } }))
  }
  const name = called.replace(/^@/, '')
  if (Handle.safeParse(name).success) return db.read((client) => client.user.findUnique({ where: { handle: name } }))
  const { success, data } = Username.safeParse(name)
  return success ? findByUsername(ctx, data) : null
}
