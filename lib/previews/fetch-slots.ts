import { withTimeout } from '@/lib/tools/timeout'
import { parseUrl } from '@/lib/tools/url'

/** Pages that a process fetches at once, for it mostly waits for answers, and those of one account among them. */
const [SLOTS, EACH] = [8, 2]
/** Links of one account that wait among those of others. */
export const WAITING = 20
/** How far apart the times of the others are, in ms: ten pages a second of an account. */
export const APART = 100
/** Links that are looked at. Some belong to as many accounts as there are slots. */
export const MOST_DUE = 20 * (WAITING + EACH)

/** A link whose page is due. */
export interface DueLink {
  linkId: bigint
  /** null: it has no account, or is not there (yet). */
  ownerId: string | null
  url: string | null
}

/** Links of one account that are given later times, each its own: the first after `wait` ms, the others `APART` ms apart. */
export interface Later {
  linkIds: bigint[]
  wait: number
}

/**
 * Which pages a process fetches next. Accounts take turns, so slow pages of one make those of another wait for no more than a few
 * slots, and a host is asked for one page at a time for each of them. What an account has waiting beyond a few links is given
 * times of its own, further and further away: it hides nobody's.
 */
export class FetchSlots<Due extends DueLink> {
  private readonly taken = new Map<bigint, { link: Due; done: Promise<void> }>()
  /** By account: the last time that was given, in ms since 1970. */
  private readonly given = new Map<string, number>()

  /** Pages that are being fetched. */
  get size(): number {
    return this.taken.size
  }

  /** @param due those that are due, first whose turn is first */
  choose(due: readonly Due[], now = Date.now()): { next: Due[]; later: Later[] } {
    const waiting = due.filter(({ linkId }) => !this.taken.has(linkId))
    const next = new Set<Due>()
    for (let share = 0; share < EACH; share++) {
      for (const link of waiting) {
        const under = [...[...this.taken.values()].map((one) => one.link), ...next]
        if (under.length >= SLOTS) break
        const own = under.filter((other) => accountOf(other) === accountOf(link))
        if (!next.has(link) && own.length <= share && !own.some((other) => hostOf(other) === hostOf(link))) next.add(link)
      }
    }
    return {
      next: [...next],
      later: this.laterOf(
        waiting.filter((link) => !next.has(link)),
        now,
      ),
    }
  }

  /** Holds a slot until the work is done, which never fails. */
  hold(link: Due, work: () => Promise<void>): void {
    const done = work().finally(() => this.taken.delete(link.linkId))
    this.taken.set(link.linkId, { link, done })
  }

  /** Resolves when a page is done, or after so many ms. */
  async ended(ms: number): Promise<void> {
    if (this.size === 0) return
    const done = Promise.race([...this.taken.values()].map((one) => one.done))
    await withTimeout(done, ms, 'a page').catch(() => {})
  }

  private laterOf(waiting: readonly Due[], now: number): Later[] {
    for (const [account, at] of this.given) if (at <= now) this.given.delete(account)
    const byAccount = new Map<string, bigint[]>()
    for (const link of waiting) {
      const account = accountOf(link)
      byAccount.set(account, [...(byAccount.get(account) ?? []), link.linkId])
    }
    return [...byAccount].flatMap(([account, all]) => {
      const linkIds = all.slice(WAITING)
      if (linkIds.length === 0) return []
      const first = Math.max(now, this.given.get(account) ?? 0) + APART
      this.given.set(account, first + (linkIds.length - 1) * APART)
      return [{ linkIds, wait: first - now }]
    })
  }
}

const accountOf = ({ ownerId, linkId }: DueLink) => ownerId ?? `link ${linkId}`
const hostOf = ({ url, linkId }: DueLink) => (url === null ? null : parseUrl(url)?.host) ?? `link ${linkId}`
