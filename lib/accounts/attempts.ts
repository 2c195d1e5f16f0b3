import type { Config } from '@/lib/config'
import type { Limits } from '@/lib/net/limits'
import { knownDevice } from './device'

/** What somebody tries. */
export interface Attempt {
  /** What is guessed at. */
  secret: 'password' | 'code'
  /** Id of the account that is really tried; else what was typed for one. null: of none. */
  account: { id: string } | { name: string } | null
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

/**
 * Counts an attempt before it is made: many at once are counted like many in turn. A browser that signed in to the
 * account before has a budget of its own, whatever others do to the account or from the same address.
 * @returns takes it back, once it is known that it did not fail
 * @throws TerseError 'rate_limited'
 */
export async function reserveAttempt({ config, limits }: Context, attempt: Attempt): Promise<() => Promise<void>> {
  const { secret, account, client } = attempt
  const { everybody, device } = POLICIES[secret]
  if (account && 'id' in account) {
    const browser = knownDevice(config, attempt.device, account.id)
    if (browser !== null) return limits.reserve(device, `${browser} ${account.id}`)
  }
  const giveBackClient = await limits.reserve('signIn', client)
  if (!account) return giveBackClient
  const key = 'id' in account ? `account ${account.id}` : `name ${account.name.trim().toLowerCase().slice(0, 254)}`
  try {
    const giveBack = await limits.reserve(everybody, key)
    return async () => {
      await Promise.all([giveBack(), giveBackClient()])
    }
  } catch (refusal) {
    await giveBackClient()
    throw refusal
  }
}
