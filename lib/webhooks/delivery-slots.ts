import { LRUCache } from 'lru-cache'
import type { Webhook } from '@/lib/db/generated/client'
import { MOST_WEBHOOKS } from './values'

/** Webhooks that a process sends to at once, for they mostly wait for answers, and those of one account among them. */
const [SLOTS, EACH] = [24, 2]
/** Deliveries to one webhook at once. */
const AT_ONCE = 4
/** Hosts that are remembered. What is forgotten proves itself once more. */
const HOSTS = 10_000

/** Enough due webhooks that they belong to at least as many accounts as there are slots: no account hides the others. */
export const MOST_DUE = SLOTS * MOST_WEBHOOKS

type Due = Pick<Webhook, 'id' | 'ownerId' | 'url'>

/**
 * The slots of a sender: which webhooks it turns to next, and how much it sends them at once. Accounts take turns, so slow
 * webhooks of one make those of another wait for no more than a few slots. A host that has taken nothing yet from an account may
 * never have asked for it: whatever the account's webhooks there, it is sent one thing at a time.
 */
export class DeliverySlots {
  private readonly taken = new Map<bigint, Due>()
  private readonly proven = new LRUCache<string, true>({ max: HOSTS })

  /** @param due those that are due, first whose turn is first. @returns those that there is room for */
  choose(due: readonly Due[]): Due[] {
    const chosen = new Set<Due>()
    const both = () => [...this.taken.values(), ...chosen]
    for (let share = 0; share < EACH; share++) {
      for (const webhook of due) {
        if (both().length >= SLOTS) return [...chosen]
        const own = both().filter(({ ownerId }) => ownerId === webhook.ownerId)
        const isAsked = own.some((other) => hostOf(other) === hostOf(webhook)) && !this.isProven(webhook)
        if (!chosen.has(webhook) && own.length <= share && !isAsked) chosen.add(webhook)
      }
    }
    return [...chosen]
  }

  /** Holds a slot until the work is done. */
  async hold(webhook: Due, work: () => Promise<void>): Promise<void> {
    this.taken.set(webhook.id, webhook)
    await work().finally(() => this.taken.delete(webhook.id))
  }

  atOnce(webhook: Due): number {
    return this.isProven(webhook) ? AT_ONCE : 1
  }

  /** Notes that a webhook took something. */
  prove(webhook: Due): void {
    this.proven.set(keyOf(webhook), true)
  }

  private isProven(webhook: Due): boolean {
    return this.proven.has(keyOf(webhook))
  }
}

const hostOf = ({ url }: Due) => new URL(url).hostname
const keyOf = (webhook: Due) => `${webhook.ownerId} ${hostOf(webhook)}`
