import type { Config } from '@/lib/config'
import type { Limits } from '@/lib/net/limits'
import { knownDevice } from './device'

/** What somebody tries. */
export interface Attempt {
  /** What is guessed at. */
  secret: 'password' | 'code'
  /** Id of the account that is really tried, and the name that was typed for it, or for none. null: of none. */
  account: { id?: string; name?: string } | null
  /** The client's address, or its /64. */
  client: string
  /** Value of the cookie of lib/accounts/device.ts. */
  device: string | undefined
}

const POLICIES = {
  password: { everybody: 'signInAccount', device: 'signInDevice' },
  code: { everybody: 'secondFactor', device: 'secondFactorDevice' },
} as const

type Context = { config: Config; limits: Limits }

/** Takes an attempt back, once it is known that it did not fail. */
export type GiveBack = () => Promise<void>

/**
 * Counts an attempt before it is made: many at once are counted like many in turn. A browser that signed in to the
 * account before has a budget of its own, whatever others do to the account or from the same address.
 * @returns null where it must not be made, and be answered as one that failed: it was counted, and that the account's
 * tries are used up under another name would tell that both names are one account's
 * @throws TerseError 'rate_limited'
 */
export async function reserveAttempt(ctx: Context, attempt: Attempt): Promise<GiveBack | null> {
  const giveBack = await reserveFailure(ctx, attempt)
  if (giveBack === null) return null
  try {
    // Only what may be tried: refused guesses of strangers do not use up what the owner may do.
    await ctx.limits.consume('attempts', `client ${attempt.client}`)
    if (attempt.account?.id !== undefined) await ctx.limits.consume('attempts', `account ${attempt.account.id}`)
  } catch (refusal) {
    await giveBack()
    throw refusal
  }
  return giveBack
}

async function reserveFailure({ config, limits }: Context, attempt: Attempt): Promise<GiveBack | null> {
  const { secret, account, client } = attempt
  const { everybody, device } = POLICIES[secret]
  if (account?.id !== undefined) {
    const browser = knownDevice(config, attempt.device, account.id)
    if (browser !== null) return limits.reserve(device, `${browser} ${account.id}`)
  }
  const taken = [await limits.reserve('signIn', client)]
  const giveBack = async () => void (await Promise.all(taken.map((back) => back())))
  if (!account) return giveBack
  try {
    if (account.name !== undefined) taken.push(await limits.reserve(everybody, `name ${account.name}`))
  } catch (refusal) {
    await giveBack()
    throw refusal
  }
  if (account.id === undefined) return giveBack
  try {
    taken.push(await limits.reserve(everybody, `account ${account.id}`))
  } catch (refusal) {
    if (account.name !== undefined) return null
    await giveBack()
    throw refusal
  }
  return giveBack
}
