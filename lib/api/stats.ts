import type { z } from 'zod'
import { identify } from '@/lib/accounts/identify'
import { isTerseError } from '@/lib/errors'
import { findManaged } from '@/lib/links/find'
import { allClicks, listClicks } from '@/lib/stats/clicks'
import { clicksCsv, csvName, statsCsv } from '@/lib/stats/csv'
import type { Watcher } from '@/lib/stats/live'
import { ClicksExportQuery, ClicksQuery, StatsQuery } from '@/lib/stats/schemas'
import { getStats } from '@/lib/stats/stats'
import { addressOf } from './links'
import { AddressQuery } from './query'
import { type Call, json, route } from './route'
import { clickEvents, download, EVENT_HEADERS } from './stream'

const CSV = 'text/csv; charset=utf-8; header=present'

export const getLinkStats = route({ auth: 'anyone', limit: 'api', query: StatsQuery }, async (call) =>
  json(200, await statsOf(call)),
)

export const getStatsCsv = route({ auth: 'anyone', limit: 'api', query: StatsQuery }, async (call) =>
  download(statsCsv(await statsOf(call)), {
    name: csvName(call.params.code ?? '', 'stats'),
    type: CSV,
    signal: call.request.signal,
  }),
)

async function statsOf(call: Call<unknown, z.output<typeof StatsQuery>>) {
  const link = await findManaged(call.ctx, call.actor, addressOf(call), 'read')
  return getStats(call.ctx, link, call.query, call.ctx.config.CLICK_RETENTION_DAYS)
}

export const getClicks = route({ auth: 'anyone', limit: 'api', query: ClicksQuery }, async (call) => {
  const link = await findManaged(call.ctx, call.actor, addressOf(call), 'read')
  return json(200, await listClicks(call.ctx, link, call.query))
})

export const getClicksCsv = route({ auth: 'anyone', limit: 'api', query: ClicksExportQuery }, async (call) => {
  const link = await findManaged(call.ctx, call.actor, addressOf(call), 'read')
  const batches = allClicks(call.ctx, link, call.query)
  return download(clicksCsv(batches), { name: csvName(link.code, 'clicks'), type: CSV, signal: call.request.signal })
})

export const getLive = route({ auth: 'anyone', limit: 'api', query: AddressQuery }, async (call) => {
  const { id, clicks } = await findManaged(call.ctx, call.actor, addressOf(call), 'read')
  // Nobody would read the body of an answer to HEAD, nor end it.
  if (call.request.method === 'HEAD') return new Response(null, { headers: EVENT_HEADERS })
  const holder = { account: call.account?.id ?? null, client: call.client }
  const watch = (watcher: Watcher) => call.ctx.live.watch(id, Number(clicks), watcher, holder)
  return clickEvents(watch, call.request.signal, () => mayStillWatch(call, id))
})

/** Whether the credentials of the request open the same link as before. In an outage, which says nothing of that, they do. */
async function mayStillWatch(call: Call<unknown, z.output<typeof AddressQuery>>, id: bigint): Promise<boolean> {
  try {
    const { actor } = await identify(call.ctx, call.request.headers)
    return (await findManaged(call.ctx, { ...actor, origin: call.actor.origin }, addressOf(call), 'read')).id === id
  } catch (error) {
    return isTerseError(error) && error.code === 'unavailable'
  }
}
