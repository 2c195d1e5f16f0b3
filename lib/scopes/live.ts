import type { DatabaseGateway } from '@/lib/db/gateway'
import { LiveHub } from '@/lib/stats/live'
import type { LinkClicks } from '@/lib/stats/top'
import { fewMembers } from './members'
import { scopeOfText } from './scope'

/** How often scopes that are watched are read, in ms, and by how many watchers: each scope takes a statement of its own. */
const [EVERY, MOST] = [2_000, 100]

export const clicksOf = (members: readonly LinkClicks[]): number => members.reduce((total, { clicks }) => total + clicks, 0)

/** Watches clicks of several links together, by the text of their scope, while these are few enough to be counted at once. */
export const openScopeLive = (db: DatabaseGateway): LiveHub<string> =>
  new LiveHub(
    async (keys: readonly string[]) => {
      const counts = new Map<string, number>()
      for (const key of keys) {
        const members = await fewMembers(db, scopeOfText(key))
        if (members) counts.set(key, clicksOf(members))
      }
      return counts
    },
    EVERY,
    MOST,
  )
