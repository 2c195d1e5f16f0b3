import type { SqlTransaction } from '@/lib/db/sql'
import { clickEvents, type OutgoingClick } from '@/lib/events/clicks'
import type { Listeners } from '@/lib/events/listeners'
import { noteEventsIn } from '@/lib/events/outbox'
import type { StoredClick } from './tally'

/**
 * Writes down clicks for the webhooks of their links' accounts, in the transaction that counts them: a click is told exactly if
 * it is counted, and is in one batch. Costs one look into memory where nobody listens.
 */
export async function noteToldClicks(
  tx: SqlTransaction,
  clicks: readonly StoredClick[],
  owners: ReadonlyMap<bigint, string | null>,
  listeners: Listeners,
): Promise<void> {
  const ids = new Set([...owners.values()].filter((id) => id !== null))
  if (ids.size === 0) return
  const listening = await listeners.among(ids, 'link.clicked', (sql, values) => tx.rows(sql, values))
  if (listening.size === 0) return
  const byOwner = new Map<string, OutgoingClick[]>()
  for (const click of clicks) {
    const owner = owners.get(click.linkId)
    if (owner == null || !listening.has(owner)) continue
    const told = byOwner.get(owner)
    if (told) told.push(toldClick(click))
    else byOwner.set(owner, [toldClick(click)])
  }
  const events = [...byOwner].flatMap(([owner, told]) => clickEvents(owner, told))
  await noteEventsIn(tx, events)
}

/** As the list of clicks shows it (lib/stats/clicks.ts): nothing by which a visitor is known again. */
function toldClick({ linkId, at, facts }: StoredClick): OutgoingClick {
  const { utmSource, utmMedium, utmCampaign, utmTerm, utmContent, ...rest } = facts
  const utm = { source: utmSource, medium: utmMedium, campaign: utmCampaign, term: utmTerm, content: utmContent }
  return { linkId: linkId.toString(), at: new Date(at).toISOString(), ...rest, utm }
}
