import { RESERVED as OF_THE_APP } from '@/lib/codes/reserved'
import { isRude, withoutLookalikes } from '@/lib/codes/rude'
import type { Config } from '@/lib/config'
import type { Transaction } from '@/lib/db/client'
import { invalidField, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { keyedHash } from '@/lib/tools/hash'
import type { AccountContext } from './context'
import { lockUser } from './locks'

/** Whose name it is not: no account has it, and it does not rest, so nobody can take it. */
const BANNED = { userId: null, freedAt: null }

/** Names that rest for one account: nobody keeps a list of names from others by giving them up. */
const MOST_RESTING = 5

/** Names that would speak for the site, or for nobody. */
const OF_THE_SITE = [
  ...['abuse', 'account', 'accounts', 'administrator', 'anonymous', 'billing', 'contact', 'deleted', 'everyone', 'feedback'],
  ...['host', 'hostmaster', 'info', 'legal', 'mail', 'mod', 'moderator', 'news', 'nobody', 'noreply', 'none', 'null', 'official'],
  ...['owner', 'postmaster', 'press', 'removed', 'root', 'security', 'staff', 'support', 'sysadmin', 'system', 'team', 'terse'],
  ...['undefined', 'unknown', 'user', 'users', 'username', 'webmaster', 'you'],
]
const RESERVED = new Set([...OF_THE_APP, ...OF_THE_SITE].map(comparedAs))

/** Two names of which this is the same look alike: `m-i_a` and `rn1a` are both `mla`. Stored ids are made of it. */
function comparedAs(name: string): string {
  return plainOf(name).replace(/i/g, 'l').replace(/rn/g, 'm').replace(/cl/g, 'd').replace(/[vw]+/g, strokesOf)
}

/** `vw`, `wv` and `vvv` look alike: as many strokes, of which a `w` has two. */
function strokesOf(run: string): string {
  return run.replace(/w/g, 'vv').replace(/vv/g, 'w')
}

/** A name as the word that it spells: letters alone, with each digit as the letter that it looks like. */
function plainOf(name: string): string {
  return withoutLookalikes(name)
    .replace(/[^a-z0-9]/g, '')
    .replace(/2/g, 'z')
    .replace(/[69]/g, 'g')
}

/** Whether nobody can have a name, whose form is right (`Username` in schemas.ts). */
export function isForbiddenUsername(name: string, { BRAND_NAME }: Pick<Config, 'BRAND_NAME'>): boolean {
  const compared = comparedAs(name)
  if (RESERVED.has(compared) || compared === comparedAs(BRAND_NAME)) return true
  // Of what it spells, with 1 for i or l: `burn` is no rude word, for all that it looks like one.
  const words = [name, ...name.split(/[-_]/)]
  return [...words, ...words.map((word) => word.replaceAll('1', 'l'))].map(plainOf).some(isRude)
}

/**
 * Gives an account a name, in place of the one it had. A name that is given up rests as long as a handle: until then only who had
 * it can take it back.
 * @param username in its form (`Username` in schemas.ts); null: none any more
 * @throws TerseError 'validation_failed' for a name that is taken, rests, is forbidden or banned, or a new one where too many
 *   were given up; 'not_found', 'unavailable'
 */
export async function setUsername({ config, db }: AccountContext, userId: string, username: string | null): Promise<void> {
  if (username !== null && isForbiddenUsername(username, config))
    throw invalidField('username', say('api.account.usernameForbidden'))
  const now = new Date()
  await db.atomic(async (tx) => {
    const user = await lockUser(tx, userId)
    if (user.username === username) return
    await tx.takenUsername.updateMany({ where: { userId, freedAt: null }, data: { freedAt: now } })
    if (username !== null && !(await take(tx, config, userId, username, now))) {
      const isBanned = (await tx.takenUsername.count({ where: { id: idOf(config, username), ...BANNED } })) > 0
      throw invalidField('username', say(isBanned ? 'api.account.usernameForbidden' : 'api.account.usernameTaken'))
    }
    // Having none is always allowed.
    if (username !== null) await requireFewResting(tx, userId)
    await tx.user.updateMany({ where: { id: userId }, data: { username, updatedAt: now } })
  })
}

/** @throws TerseError 'validation_failed' for an account that has given up too many names */
async function requireFewResting(tx: Transaction, userId: string): Promise<void> {
  const resting = await tx.takenUsername.count({ where: { userId, freedAt: { not: null } } })
  if (resting > MOST_RESTING) throw invalidField('username', say('api.account.usernames', { most: MOST_RESTING }))
}

/** The index decides: a name is inserted, or is there and can be had. @returns whether it is the account's now */
async function take(tx: Transaction, config: Config, userId: string, username: string, now: Date): Promise<boolean> {
  const id = idOf(config, username)
  const { count } = await tx.takenUsername.createMany({ data: [{ id, userId, freedAt: null }], skipDuplicates: true })
  if (count > 0) return true
  const taken = await tx.takenUsername.updateMany({
    where: { id, freedAt: { not: null }, OR: [{ userId }, { freedAt: { lte: restsFrom(config, now.getTime()) } }] },
    data: { userId, freedAt: null },
  })
  return taken.count > 0
}

/**
 * Takes a name from the account that has it, or for which it rests. Nobody can take it then, or one that looks like it.
 * @param username in its form (`Username` in schemas.ts)
 * @returns the account that lost it, null where nobody had it
 * @throws TerseError 'unavailable'
 */
export function banUsername({ config, db }: AccountContext, username: string) {
  const id = idOf(config, username)
  return db.atomic(async (tx) => {
    const [taken] = await tx.$queryRaw<{ userId: string | null }[]>`SELECT userId FROM TakenUsername WHERE id = ${id} FOR UPDATE`
    await tx.takenUsername.upsert({ where: { id }, create: { id, ...BANNED }, update: BANNED })
    const holder = taken?.userId ? await tx.user.findUnique({ where: { id: taken.userId } }) : null
    // One that only had it resting goes by another name now, or by none.
    if (!holder?.username || comparedAs(holder.username) !== comparedAs(username)) return null
    await tx.user.updateMany({ where: { id: holder.id }, data: { username: null, updatedAt: new Date() } })
    return holder
  })
}

/** Anyone can take it again. @throws TerseError 'not_found' for one that is not banned; 'unavailable' */
export async function unbanUsername({ config, db }: AccountContext, username: string): Promise<void> {
  const where = { id: idOf(config, username), ...BANNED }
  const { count } = await db.write((client) => client.takenUsername.deleteMany({ where }))
  if (count === 0) throw new TerseError('not_found', say('api.account.usernameNotBanned'))
}

/** Lets go of the name of an account that is closed, and of those that rest for it: who had them is forgotten. */
export async function forgetUsernames(tx: Transaction, userId: string): Promise<void> {
  await tx.takenUsername.updateMany({ where: { userId, freedAt: null }, data: { freedAt: new Date() } })
  await tx.takenUsername.updateMany({ where: { userId }, data: { userId: null } })
}

/**
 * The account that has a name. @param username in its form
 * @throws TerseError 'unavailable'
 */
export async function findByUsername({ config, db }: AccountContext, username: string) {
  const taken = await db.read((client) => client.takenUsername.findUnique({ where: { id: idOf(config, username) } }))
  if (!taken?.userId || taken.freedAt !== null) return null
  const { userId } = taken
  const user = await db.read((client) => client.user.findUnique({ where: { id: userId } }))
  // One that only looks like it is no other way to write it.
  return user?.username === username ? user : null
}

/** What was given up before this can be had by anyone. */
export const restsFrom = ({ CODE_REUSE_AFTER }: Pick<Config, 'CODE_REUSE_AFTER'>, now: number): Date =>
  new Date(Number.isFinite(CODE_REUSE_AFTER) ? now - CODE_REUSE_AFTER : 0)

const idOf = ({ APP_SECRET }: Pick<Config, 'APP_SECRET'>, username: string) =>
  keyedHash(APP_SECRET, `username ${comparedAs(username)}`)
