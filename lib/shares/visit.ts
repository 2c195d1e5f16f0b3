import { createHmac, timingSafeEqual } from 'node:crypto'
import { isBanned } from '@/lib/actor'
import type { Config } from '@/lib/config'
import type { DatabaseGateway } from '@/lib/db/gateway'
import type { StatsShare } from '@/lib/db/generated/client'
import type { Domains } from '@/lib/domains/domains'
import { invalidField, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { isOpenToVisitors, shortUrlOf } from '@/lib/links/view'
import type { PasswordTries } from '@/lib/redirect/password-tries'
import type { ScopeCounting } from '@/lib/scopes/schemas'
import { type ScopeStatsContext, statsOfScope } from '@/lib/scopes/stats'
import type { StatsInput } from '@/lib/stats/schemas'
import { getStats } from '@/lib/stats/stats'
import { keyedHash, sha256 } from '@/lib/tools/hash'
import { verifyPassword } from '@/lib/tools/password'
import { HOUR, MINUTE } from '@/lib/tools/time'
import type { SharedAbout, SharedStats } from './schemas'
import { type Subject, subjectsOf } from './subject'

/** What visitors of a share get. */

export interface VisitContext extends ScopeStatsContext {
  config: Pick<Config, 'APP_SECRET' | 'CLICK_RETENTION_DAYS'>
  db: DatabaseGateway
  domains: Domains
}

export interface OpenShare {
  share: StatsShare
  subject: Subject
}

const TOKEN = /^[A-Za-z0-9_-]{22}$/
/** How exactly it is known when a share was last seen, in ms. */
const SEEN_EACH = MINUTE
/** How long a password that was given holds, in ms. */
const PASS_LIFETIME = 12 * HOUR

/**
 * The share of a token, as long as it holds: not after its end, and not while its account is banned or what it shows is not the
 * account's. Whether its password was given is not asked.
 * @throws TerseError 'not_found', 'unavailable'
 */
export async function findShare({ db, domains }: Pick<VisitContext, 'db' | 'domains'>, token: string): Promise<OpenShare> {
  const share = TOKEN.test(token)
    ? await db.read((client) => client.statsShare.findUnique({ where: { tokenHash: sha256(token) } }))
    : null
  if (!share || (share.expiresAt !== null && share.expiresAt.getTime() <= Date.now())) throw noShare()
  const owner = await db.read((client) => client.user.findUnique({ where: { id: share.ownerId } }))
  if (!owner || owner.removal !== null || isBanned(owner)) throw noShare()
  const [subject] = await subjectsOf({ db, domains }, [share])
  if (!subject) throw noShare()
  return { share, subject }
}

const noShare = () => new TerseError('not_found', say('api.share.ended'))

/** Remembers that it was seen: of a busy one once a minute. */
export async function noteSeen({ db }: Pick<VisitContext, 'db'>, { id, seenAt }: StatsShare): Promise<void> {
  if (seenAt !== null && seenAt.getTime() > Date.now() - SEEN_EACH) return
  await db.change('UPDATE StatsShare SET seenAt = UTC_TIMESTAMP(3) WHERE id = ?', id)
}

/** Proof for later requests that the password was given. A new password, or another secret, ends it. */
function passOf({ config }: Pick<VisitContext, 'config'>, { id, passwordHash }: StatsShare, until: number): string {
  const key = keyedHash(config.APP_SECRET, 'passes of shared statistics')
  return `${until.toString(36)}.${createHmac('sha256', key).update(`${id} ${passwordHash} ${until}`).digest('base64url')}`
}

/** @param pass as `unlock` gave it */
export function isUnlocked(ctx: Pick<VisitContext, 'config'>, share: StatsShare, pass: string | null): boolean {
  if (share.passwordHash === null) return true
  const until = Number.parseInt(pass?.split('.')[0] ?? '', 36)
  if (pass === null || !(until > Date.now())) return false
  const [given, right] = [Buffer.from(pass), Buffer.from(passOf(ctx, share, until))]
  return given.length === right.length && timingSafeEqual(given, right)
}

/** @throws TerseError 'unauthorized' */
export function requireUnlocked(ctx: Pick<VisitContext, 'config'>, share: StatsShare, pass: string | null): void {
  if (!isUnlocked(ctx, share, pass)) throw new TerseError('unauthorized', say('api.share.locked'))
}

/**
 * Limited as the passwords of links are.
 * @param client by which it is limited
 * @returns the pass
 * @throws TerseError 'validation_failed' for a wrong password, 'rate_limited', 'unavailable'
 */
export async function unlock(
  ctx: Pick<VisitContext, 'config'> & { passwordTries: PasswordTries },
  share: StatsShare,
  password: string,
  client: string,
): Promise<string> {
  const { passwordHash } = share
  const isRight =
    passwordHash === null ||
    (await ctx.passwordTries.try(client, `share ${share.id}`, () => verifyPassword(passwordHash, password)))
  if (!isRight) throw invalidField('password', say('api.share.wrongPassword'))
  return passOf(ctx, share, Date.now() + PASS_LIFETIME)
}

/** What is told of what is shared. */
export function aboutOf(ctx: Pick<VisitContext, 'domains'>, { share, subject }: OpenShare): SharedAbout {
  const { kind, name, link } = subject
  const shortUrl = link && shortUrlOf(ctx, link)
  const told = link && isOpenToVisitors(link) ? link : null
  const about = { kind, name, title: told?.title ?? '', shortUrl, url: told?.url ?? null }
  return { locked: false, about, expiresAt: share.expiresAt?.toISOString() ?? null }
}

/**
 * The statistics as visitors see them: without conversions, and without destinations that not everyone can see. Single clicks and
 * notes are no part of them.
 * @returns how far counting is, where several links are counted for the first time
 * @throws TerseError 'validation_failed', 'unavailable'
 */
export async function sharedStats(
  ctx: VisitContext,
  { subject: { link, scope } }: OpenShare,
  input: StatsInput,
): Promise<SharedStats | ScopeCounting> {
  if (link) {
    // Nor can one be asked for by its name.
    const isOpen = isOpenToVisitors(link)
    const asked = isOpen ? input : { ...input, destination: undefined }
    const stats = await getStats(ctx, link, asked, ctx.config.CLICK_RETENTION_DAYS)
    const breakdown = isOpen ? stats.breakdown : { ...stats.breakdown, destination: [] }
    return { ...stats, breakdown, conversions: null, many: null }
  }
  if (!scope) throw new Error('a share of nothing')
  // Some of the links may lead where not everyone sees.
  const stats = await statsOfScope(ctx, scope, { ...input, destination: undefined })
  if ('counted' in stats) return stats
  const { top, topIsComplete: _, links, countedAt, counting, hasBreakdowns, ...numbers } = stats
  return {
    ...numbers,
    breakdown: { ...stats.breakdown, destination: [] },
    others: { ...stats.others, destination: undefined },
    conversions: null,
    many: {
      ...{ links, countedAt, counting, hasBreakdowns },
      top: top.map(({ link: { shortUrl, title }, clicks }) => ({ shortUrl, title, clicks })),
    },
  }
}
