import { setTimeout as sleep } from 'node:timers/promises'
import { ClientTurns } from '@/lib/net/client-turns'
import type { Limits } from '@/lib/net/limits'

/** Wrong passwords of all clients on one link, in five minutes, before those who gave one are kept waiting. */
const FREE = 20
/** What each further one adds, and the longest wait, in ms. */
const STEP = 50
const LONGEST = 5_000

/**
 * How long a client that gave a wrong password waits before its next is looked at, in ms. @param failures of all clients on the
 * link
 */
export const waitAfter = (failures: number) => Math.min(LONGEST, Math.max(0, failures - FREE) * STEP)

/**
 * Tries at the passwords of links. Wrong ones count against the client that gave them: it may give so many, and so many of any
 * kind in a minute, over all links. However many clients
 * guess, the link stays open to all others; it slows down, and only for those who guessed wrong before.
 */
export class PasswordTries {
  private readonly turns = new ClientTurns()

  constructor(
    private readonly limits: Pick<Limits, 'enabled' | 'consume' | 'reserve' | 'note' | 'counted'>,
    private readonly wait: (ms: number) => Promise<unknown> = sleep,
  ) {}

  /**
   * Whether the password is right.
   * @param client by which it is limited
   * @param full the link's full short URL
   * @param isRight the costly comparison; not asked once the client gave too many wrong ones
   * @throws TerseError 'rate_limited'; else what `isRight` throws
   */
  async try(client: string, full: string, isRight: () => Promise<boolean>): Promise<boolean> {
    if (!this.limits.enabled) return isRight()
    const key = `${client}|${full}`
    return this.turns.run(key, () => this.next(client, key, full, isRight))
  }

  private async next(client: string, key: string, full: string, isRight: () => Promise<boolean>): Promise<boolean> {
    // Counted before the comparison and given back after: else tries at the same time would all pass before the first is counted.
    const giveBack = await this.limits.reserve('unlock', key)
    try {
      // Once a try may be made: those that are refused cost nothing.
      await this.limits.consume('unlockTries', client)
      if ((await this.limits.counted('unlock', key)) > 1)
        await this.wait(waitAfter(await this.limits.counted('unlockLink', full)))
      if (!(await isRight())) {
        await this.limits.note('unlockLink', full)
        return false
      }
    } catch (error) {
      // What could not be compared was not wrong.
      await giveBack()
      throw error
    }
    await giveBack()
    return true
  }
}
