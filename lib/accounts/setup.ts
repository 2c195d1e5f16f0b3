import { randomUUID, timingSafeEqual } from 'node:crypto'
import { isBanned } from '@/lib/actor'
import { ConfigError } from '@/lib/config'
import { invalidField, TerseError } from '@/lib/errors'
import type { Language } from '@/lib/i18n/languages'
import { type Message, say } from '@/lib/i18n/message'
import { inEnglish } from '@/lib/i18n/translate'
import { withHandle } from '@/lib/ids/handles'
import { sha256 } from '@/lib/tools/hash'
import { passwordTrouble } from './common-passwords'
import type { AccountContext } from './context'
import { PASSWORD_PROVIDER } from './names'
import type { SetupInput } from './schemas'
import { setupToken } from './setup-url'

/**
 * Makes the first admin. Of several at once, one does.
 * @param client by `limitKey`
 * @param language in which they are written to
 * @throws TerseError 'forbidden' for a wrong token, 'not_found' once there is an admin, 'validation_failed' for an
 *   address that has an account, 'rate_limited', 'unavailable'
 */
export async function setUp(
  ctx: AccountContext,
  client: string,
  { token, ...input }: SetupInput,
  language: Language | null,
): Promise<void> {
  if (!timingSafeEqual(sha256(token), sha256(setupToken(ctx.config)))) {
    throw new TerseError('forbidden', say('api.account.setupLink'))
  }
  const outcome = await makeFirstAdmin(ctx, client, { ...input, language }, false)
  if (typeof outcome === 'object') throw invalidField('password', outcome.trouble)
  if (outcome === 'admin exists') throw new TerseError('not_found', say('api.account.setupDone'))
  if (outcome !== 'made') throw invalidField('email', say('api.account.known'))
}

/**
 * Makes the admin of ADMIN_EMAIL unless there is an admin. Who has an account by that address becomes admin and keeps
 * the password, if it is known to be theirs: anyone may have signed up with an address that nobody confirmed.
 * @throws ConfigError for an account that is banned, or a password that anyone would guess; TerseError 'unavailable'
 */
export async function ensureAdmin(ctx: AccountContext): Promise<void> {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = ctx.config
  if (!email || !password) return
  const outcome = await makeFirstAdmin(ctx, 'ADMIN_EMAIL', { name: 'Admin', email, password, language: null }, true)
  if (typeof outcome === 'object') throw new ConfigError(`ADMIN_PASSWORD: ${inEnglish(outcome.trouble)}`)
  if (outcome === 'not confirmed') return ctx.log.error(NOT_CONFIRMED(email))
  if (outcome === 'banned') throw new ConfigError(`ADMIN_EMAIL: the account of ${email} is banned; name another address`)
  if (outcome !== 'admin exists') ctx.log.info({ email, outcome }, 'the first admin')
}

const NOT_CONFIRMED = (email: string) =>
  `ADMIN_EMAIL: there is an account of ${email}, and its address is not confirmed, so it may be anyone's: it was not made an ` +
  'admin. Confirm the address by mail, name another one, or leave ADMIN_EMAIL out and use the link that the start prints'

type Outcome = 'admin exists' | 'made' | 'promoted' | 'address known' | 'banned' | 'not confirmed' | { trouble: Message }

/** @param promote whether an account that there is by this address becomes the admin */
async function makeFirstAdmin(
  ctx: AccountContext,
  client: string,
  input: Omit<SetupInput, 'token'> & { language: Language | null },
  promote: boolean,
): Promise<Outcome> {
  // Else each start would hash a password for nothing.
  if ((await ctx.db.rows("SELECT 1 FROM User WHERE role = 'admin' LIMIT 1")).length > 0) return 'admin exists'
  const { password } = await (await ctx.auth()).$context
  const beside = { ...input, baseUrl: ctx.config.BASE_URL }
  const trouble = await passwordTrouble(input.password, beside)
  if (trouble !== null) return { trouble }
  const hash = await ctx.hashTurns.run(client, () => password.hash(input.password))
  const email = input.email.toLowerCase()
  const times = { createdAt: new Date(), updatedAt: new Date() }
  const make = (handle: string): Promise<Outcome> =>
    ctx.db.write((client) =>
      client.$transaction(
        async (tx) => {
          // Locks the gap where admins would be: of two who find none one has to come again, and finds the other.
          const admins = await tx.$queryRaw<unknown[]>`SELECT id FROM User WHERE role = 'admin' LIMIT 1 FOR UPDATE`
          if (admins.length > 0) return 'admin exists'
          const known = await tx.user.findUnique({ where: { email } })
          if (known && !promote) return 'address known'
          if (known && isBanned(known)) return 'banned'
          if (known && !known.emailVerified) return 'not confirmed'
          if (known) {
            // End the sessions, so that none gains rights.
            await tx.session.deleteMany({ where: { userId: known.id } })
            await tx.user.updateMany({ where: { id: known.id }, data: { role: 'admin', updatedAt: new Date() } })
            return 'promoted'
          }
          const id = randomUUID()
          const credential = { id: randomUUID(), userId: id, providerId: PASSWORD_PROVIDER, accountId: id, password: hash }
          await tx.user.createMany({
            data: [
              { id, name: input.name, email, language: input.language, emailVerified: true, role: 'admin', handle, ...times },
            ],
          })
          await tx.credential.createMany({ data: [{ ...credential, ...times }] })
          return 'made'
        },
        { isolationLevel: 'Serializable' },
      ),
    )
  return withHandle(ctx.ids.handles, make)
}
