import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { ClientTurns } from '@/lib/net/client-turns'
import { BusyError, Turns } from '@/lib/tools/turns'

/** Passwords at a time: one of Node's four threads stays free for other work. */
const AT_ONCE = 3
/** Clients that may wait. */
const MAY_WAIT = 100

/**
 * Turns of what compares or sets passwords of accounts. Each takes a thread for a tenth of a second or more, so that many at
 * once would hold up everything else: each client has one at a time, all clients a few.
 */
export class HashTurns {
  private readonly clients = new ClientTurns()
  private readonly all = new Turns({ atOnce: AT_ONCE, mayWait: MAY_WAIT })

  /**
   * @param client by `limitKey`
   * @throws TerseError 'rate_limited' when too many of this client wait, 'unavailable' when too many clients do; else what
   *   `work` throws
   */
  run<T>(client: string, work: () => Promise<T>): Promise<T> {
    return this.clients.run(client, async () => {
      try {
        return await this.all.run('', work)
      } catch (cause) {
        if (!(cause instanceof BusyError)) throw cause
        throw new TerseError('unavailable', say('api.auth.busy'), { retryAfter: 2, cause })
      }
    })
  }
}
