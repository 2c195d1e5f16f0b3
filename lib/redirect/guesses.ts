import { LRUCache } from 'lru-cache'
import type { Domains } from '@/lib/domains/domains'
import { isTerseError } from '@/lib/errors'
import { ClientTurns } from '@/lib/net/client-turns'
import type { Limits } from '@/lib/net/limits'

/** As long as the limits count, in ms. */
const LIFETIME = 300_000

/**
 * Spoken codes are short enough to be tried out. A client is told of so many that lead nowhere, and of so many that lead
 * somewhere, and then of none.
 *
 * Both are counted before the number is looked up, and given back when the other came true: else requests at the same
 * time would all be told before the first is counted. One client's are made one after another, so that many people
 * behind one address do not use each other's up while they wait. A number that it has been told before costs nothing.
 */
export class Guesses {
  private readonly turns = new ClientTurns()
  private readonly known = new LRUCache<string, true>({ max: 20_000, ttl: LIFETIME })

  constructor(
    private readonly limits: Pick<Limits, 'enabled' | 'check' | 'consume' | 'reserve'>,
    private readonly domains: Pick<Domains, 'isSpoken'>,
  ) {}

  /**
   * What `ask` gives, if the client may be told. Codes that are no spoken ones are asked for at once.
   * @param clientOf by which it is limited; asked only where it is
   * @param full the full short URL that is asked for
   * @param leads whether the answer says that there is a link
   * @throws TerseError 'rate_limited'; else what `ask` throws
   */
  ask<T>(clientOf: () => string, full: string, ask: () => Promise<T>, leads: (answer: T) => boolean): Promise<T> {
    const slash = full.indexOf('/')
    const isFree = !this.limits.enabled || !this.domains.isSpoken(full.slice(0, slash), full.slice(slash + 1))
    return isFree ? ask() : this.askInTurn(clientOf(), full, ask, leads)
  }

  private async askInTurn<T>(client: string, full: string, ask: () => Promise<T>, leads: (answer: T) => boolean): Promise<T> {
    const name = `${client}|${full}`
    if (this.known.has(name)) return this.again(client, ask)
    return this.turns.run(client, () => (this.known.has(name) ? this.again(client, ask) : this.first(client, name, ask, leads)))
  }

  /** Who has tried too many is told nothing more, not even what it was told before: that may have changed. */
  private async again<T>(client: string, ask: () => Promise<T>): Promise<T> {
    await this.limits.check('spokenMiss', client)
    return ask()
  }

  private async first<T>(client: string, name: string, ask: () => Promise<T>, leads: (answer: T) => boolean): Promise<T> {
    // Perhaps another process has told it.
    if (await this.wasTold(name)) return this.again(client, ask)
    const returnMiss = await this.limits.reserve('spokenMiss', client)
    const returnHit = await this.limits.reserve('spokenHit', client).catch(async (error: unknown) => {
      await returnMiss()
      throw error
    })
    let answer: T
    try {
      answer = await ask()
    } catch (error) {
      // An outage tells nothing of the number.
      await Promise.all([returnMiss(), returnHit()])
      throw error
    }
    if (!leads(answer)) {
      await returnHit()
      return answer
    }
    await returnMiss()
    this.known.set(name, true)
    // Written down only now: another process must not take for told what this one may yet be refused.
    await this.limits.consume('spokenTold', name).catch(returnHit)
    return answer
  }

  private async wasTold(name: string): Promise<boolean> {
    try {
      await this.limits.check('spokenTold', name)
      return false
    } catch (error) {
      if (isTerseError(error) && error.code === 'rate_limited') return true
      throw error
    }
  }
}
