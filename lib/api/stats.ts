import { z } from 'zod'
import { identify } from '@/lib/accounts/identify'
import { isTerseError, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { findManaged } from '@/lib/links/find'
import { requireDeciding } from '@/lib/links/permit'
import { RehearseLink } from '@/lib/links/schemas'
import { findFew, listScopeClicks, listScopeNotes } from '@/lib/scopes/clicks'
import { clicksOf } from '@/lib/scopes/live'
import {
  ScopeClickPage,
  ScopeClicksQuery,
  ScopeCounting,
  ScopeNotes,
  ScopeQuery,
  ScopeStats,
  ScopeStatsQuery,
} from '@/lib/scopes/schemas'
import { textOfScope } from '@/lib/scopes/scope'
import { getScopeStats } from '@/lib/scopes/stats'
import { allClicks, listClicks } from '@/lib/stats/clicks'
import { clicksCsv, csvName, statsCsv } from '@/lib/stats/csv'
import type { Watcher } from '@/lib/stats/live'
import { createNote, deleteNote, listNotes } from '@/lib/stats/notes'
import { rehearse } from '@/lib/stats/rehearsal'
import {
  ClickPage,
  ClicksExportQuery,
  ClicksQuery,
  CreateNote,
  Note,
  Notes,
  Rehearsal,
  Stats,
  StatsQuery,
} from '@/lib/stats/schemas'
import { getStats } from '@/lib/stats/stats'
import { type Call, endpoint } from './endpoint'
import { addressOf } from './links'
import { AddressQuery, CodePath, idOf } from './path'
import { json } from './problem'
import { clickEvents, download, EVENT_HEADERS } from './stream'

const CSV = 'text/csv; charset=utf-8; header=present'

const STATS_NOTE =
  'The range is rounded outward to full hours in UTC, or to full minutes with `interval=minute`. With a filter, only human clicks count, or clicks of the given `kind`. With a filter, and for bots and previews, breakdowns are counted from single clicks; with several filters, a filter for bots or previews or for an empty UTM value, or `interval=minute`, so is everything else. At most the latest 300,000 clicks are counted this way; see `rawSince`.'

/** What all of them state: they read the clicks of one link. */
const READING = { auth: 'link', limit: 'api', params: CodePath, errors: [400, 403, 410] } as const

const COLUMNS =
  'Columns: `section` (total, the interval, a dimension, or what was reported), `value`, `clicks`, `visitors`, `bots`, `previews`, `conversions`, `converted`, and `revenue`. Each currency has lines of its own, such as `revenue_eur`.'

const text = (description: string) => z.string().meta({ description })

export const getLinkStats = endpoint(
  'GET /api/v1/links/{code}/stats',
  {
    ...READING,
    id: 'getStats',
    summary: 'Retrieve a link’s statistics',
    description: STATS_NOTE,
    query: StatsQuery,
    answers: { 200: ['Totals, a time series, and breakdowns', Stats] },
  },
  statsOf,
)

export const getStatsCsv = endpoint(
  'GET /api/v1/links/{code}/stats.csv',
  {
    ...READING,
    id: 'getStatsCsv',
    summary: 'Download a link’s statistics as CSV',
    description: `Returns all counts in one table. ${STATS_NOTE}`,
    query: StatsQuery,
    answers: {
      200: ['A CSV file', text(COLUMNS), 'text/csv'],
    },
  },
  async (call) =>
    download(statsCsv(await statsOf(call)), {
      name: csvName(call.params.code ?? '', 'stats'),
      type: CSV,
      signal: call.request.signal,
    }),
)

/** They read the clicks of all links of the asking account, or of some. */
const OF_MANY = { auth: 'account', proof: 'key', limit: 'api' } as const
const READING_MANY = { ...OF_MANY, query: ScopeStatsQuery } as const

const SCOPE_NOTE =
  'Counts all clicks of the links that now have a tag, are in a folder, or are on a domain, or of all your links; archived links are included, deleted ones aren’t. Up to 100 links are counted as you ask, if they were clicked. Of more, or with very many clicks, the sums are kept and counted again in the background; see `countedAt`. They take one filter at a time, and no `interval=minute`.'

export const getAllStats = endpoint(
  'GET /api/v1/stats',
  {
    ...READING_MANY,
    id: 'getScopeStats',
    summary: 'Retrieve the statistics of several links',
    description: SCOPE_NOTE,
    answers: {
      200: ['Totals, a time series, breakdowns, and the links with the most clicks', ScopeStats],
      202: ['The links are being counted for the first time', ScopeCounting],
    },
  },
  async ({ ctx, account, query }) => {
    const stats = await getScopeStats(ctx, account.id, query)
    return 'counted' in stats ? json(202, stats, { 'Retry-After': '1' }) : stats
  },
)

export const getAllStatsCsv = endpoint(
  'GET /api/v1/stats.csv',
  {
    ...READING_MANY,
    id: 'getScopeStatsCsv',
    summary: 'Download the statistics of several links as CSV',
    description: `Returns all counts in one table. ${SCOPE_NOTE} While they are counted for the first time, the answer is 503.`,
    answers: { 200: ['A CSV file', text(COLUMNS), 'text/csv'] },
  },
  async ({ ctx, account, query, request }) => {
    const stats = await getScopeStats(ctx, account.id, query)
    if ('counted' in stats) throw new TerseError('unavailable', say('forms.counting'), { retryAfter: 2 })
    const { tag, folder, domain } = query
    return download(statsCsv(stats), {
      name: csvName(tag ?? folder ?? domain ?? 'all', 'stats'),
      type: CSV,
      signal: request.signal,
    })
  },
)

const FEW_NOTE = 'Answers 409 where more than 100 of the links were ever clicked; see `hasClicks` in their statistics.'

export const getAllClicks = endpoint(
  'GET /api/v1/clicks',
  {
    ...OF_MANY,
    id: 'listScopeClicks',
    summary: 'List the clicks of several links',
    description: `Single clicks are deleted after a retention period. Counts are kept. ${FEW_NOTE}`,
    query: ScopeClicksQuery,
    answers: { 200: ['A page of clicks, newest first', ScopeClickPage] },
    errors: [400, 409],
  },
  ({ ctx, account, query }) => listScopeClicks(ctx, account.id, query),
)

export const getAllNotes = endpoint(
  'GET /api/v1/notes',
  {
    ...OF_MANY,
    id: 'listScopeNotes',
    summary: 'List the notes of several links',
    description: `Notes are created for one link at a time. ${FEW_NOTE}`,
    query: ScopeQuery,
    answers: { 200: ['The latest notes', ScopeNotes] },
    errors: [409],
  },
  ({ ctx, account, query }) => listScopeNotes(ctx, account.id, query),
)

export const getAllLive = endpoint(
  'GET /api/v1/live',
  {
    ...OF_MANY,
    id: 'watchScopeClicks',
    summary: 'Watch the clicks of several links live',
    description: `As for one link, of the clicks of all of them together, at most every 2 seconds. ${FEW_NOTE} The stream ends when they become more.`,
    query: ScopeQuery,
    answers: { 200: ['Events, until you disconnect', text('Server-sent events.'), 'text/event-stream'] },
    errors: [409],
  },
  async ({ ctx, account, client, query, request }) => {
    const { scope, members } = await findFew(ctx, account.id, query)
    if (request.method === 'HEAD') return new Response(null, { headers: EVENT_HEADERS })
    const holder = { account: account.id, client }
    const watch = (watcher: Watcher) => ctx.scopeLive.watch(textOfScope(scope), clicksOf(members), watcher, holder)
    return clickEvents(watch, request.signal, () =>
      unlessAway(async () => (await identify(ctx, request.headers)).actor.account?.id === account.id),
    )
  },
)

async function statsOf(call: Call<unknown, z.output<typeof StatsQuery>>) {
  const link = await findManaged(call.ctx, call.actor, addressOf(call), 'read')
  return getStats(call.ctx, link, call.query, call.ctx.config.CLICK_RETENTION_DAYS)
}

export const getClicks = endpoint(
  'GET /api/v1/links/{code}/clicks',
  {
    ...READING,
    id: 'listClicks',
    summary: 'List a link’s clicks',
    description: 'Single clicks are deleted after a retention period. Counts are kept.',
    query: ClicksQuery,
    answers: { 200: ['A page of clicks, newest first', ClickPage] },
  },
  async (call) => {
    const link = await findManaged(call.ctx, call.actor, addressOf(call), 'read')
    return listClicks(call.ctx, link, call.query)
  },
)

export const getClicksCsv = endpoint(
  'GET /api/v1/links/{code}/clicks.csv',
  {
    ...READING,
    id: 'getClicksCsv',
    summary: 'Download a link’s clicks as CSV',
    description:
      'Returns every click in the range, newest first. Text that a spreadsheet would run as a formula is prefixed with an apostrophe.',
    query: ClicksExportQuery,
    answers: { 200: ['A CSV file with one click per line', text('A header line, then one line per click.'), 'text/csv'] },
  },
  async (call) => {
    const link = await findManaged(call.ctx, call.actor, addressOf(call), 'read')
    const batches = allClicks(call.ctx, link, call.query)
    return download(clicksCsv(batches), { name: csvName(link.code, 'clicks'), type: CSV, signal: call.request.signal })
  },
)

export const getLive = endpoint(
  'GET /api/v1/links/{code}/live',
  {
    ...READING,
    id: 'watchClicks',
    summary: 'Watch clicks live',
    description:
      'Streams server-sent events. A `clicks` event with data such as `{"clicks": 7}` is sent immediately and whenever the number changes, at most once a second. A comment every 15 seconds keeps the connection open. The stream ends when the link is deleted. You can have 20 connections per account, or per IP address without an account; when a newer one takes a connection’s place, that connection gets a `replaced` event and ends.',
    query: AddressQuery,
    answers: { 200: ['Events, until you disconnect', text('Server-sent events.'), 'text/event-stream'] },
  },
  async (call) => {
    const { id, clicks } = await findManaged(call.ctx, call.actor, addressOf(call), 'read')
    // Nobody would read the body of an answer to HEAD, nor end it.
    if (call.request.method === 'HEAD') return new Response(null, { headers: EVENT_HEADERS })
    const holder = { account: call.account?.id ?? null, client: call.client }
    const watch = (watcher: Watcher) => call.ctx.live.watch(id, Number(clicks), watcher, holder)
    return clickEvents(watch, call.request.signal, () => mayStillWatch(call, id))
  },
)

export const rehearseRouting = endpoint(
  'POST /api/v1/links/{code}/rehearsal',
  {
    ...READING,
    limit: 'rehearsal',
    id: 'rehearseRouting',
    summary: 'Try rules on a link’s latest clicks',
    description: 'Returns where the link’s latest 10,000 clicks would have gone. Nothing is changed.',
    query: AddressQuery,
    body: RehearseLink,
    answers: { 200: ['Where they would have gone', Rehearsal] },
  },
  async (call) => {
    const link = await findManaged(call.ctx, call.actor, addressOf(call), 'read')
    requireDeciding(call.body.routing, { before: link.routing })
    return rehearse(call.ctx, link, call.body.routing ?? {})
  },
)

const NotePath = CodePath.extend({ id: z.string().meta({ description: 'The ID of the note.' }) })
const WRITING = { ...READING, query: AddressQuery } as const

export const getNotes = endpoint(
  'GET /api/v1/links/{code}/notes',
  {
    ...WRITING,
    id: 'listNotes',
    summary: 'List a link’s notes',
    answers: { 200: ['All notes of the link', Notes] },
  },
  async (call) => {
    const { id } = await findManaged(call.ctx, call.actor, addressOf(call), 'read')
    return { notes: await listNotes(call.ctx, id) }
  },
)

export const postNote = endpoint(
  'POST /api/v1/links/{code}/notes',
  {
    ...WRITING,
    id: 'createNote',
    summary: 'Create a note',
    description: 'Marks something that happened on the link’s chart. A link can have up to 200 notes.',
    body: CreateNote,
    answers: { 201: ['The new note', Note] },
    errors: [400, 403, 409, 410],
  },
  async (call) => {
    const { id } = await findManaged(call.ctx, call.actor, addressOf(call), 'write')
    return json(201, await createNote(call.ctx, id, call.body))
  },
)

export const removeNote = endpoint(
  'DELETE /api/v1/links/{code}/notes/{id}',
  { ...WRITING, params: NotePath, id: 'deleteNote', summary: 'Delete a note', answers: { 204: 'The note is deleted' } },
  async (call) => {
    const link = await findManaged(call.ctx, call.actor, addressOf(call), 'write')
    await deleteNote(call.ctx, link.id, idOf(call.params, 'note'))
  },
)

/** Whether the credentials of the request open the same link as before. */
const mayStillWatch = (call: Call<unknown, z.output<typeof AddressQuery>>, id: bigint): Promise<boolean> =>
  unlessAway(async () => {
    const { actor } = await identify(call.ctx, call.request.headers)
    return (await findManaged(call.ctx, { ...actor, origin: call.actor.origin }, addressOf(call), 'read')).id === id
  })

/** Whether something still holds. In an outage, which says nothing of that, it does. */
async function unlessAway(holds: () => Promise<boolean>): Promise<boolean> {
  try {
    return await holds()
  } catch (error) {
    return isTerseError(error) && error.code === 'unavailable'
  }
}
