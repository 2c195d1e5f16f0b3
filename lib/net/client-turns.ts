import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { BusyError, Turns } from '@/lib/tools/turns'

/** Requests with one key that may wait for each other. */
const MAY_WAIT = 100

/**
 * One piece of work at a time for each client: many people behind one address do not use each other's limits up while they wait.
 */
export class ClientTurns {
  private readonly turns = new Turns({ atOnceEach: 1, mayWaitEach: MAY_WAIT })

  /** @throws TerseError 'rate_limited' when too many wait already; else what `work` throws */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.turns.run(key, work)
    } catch (error) {
      if (error instanceof BusyError) throw new TerseError('rate_limited', say('api.request.busy'), { retryAfter: 1 })
      throw error
    }
  }
}
