import { z } from 'zod'
import { historyCsv } from '@/lib/history/csv'
import { allHistory, listHistory } from '@/lib/history/read'
import { HistoryPage, HistoryQuery } from '@/lib/history/schemas'
import { findManaged } from '@/lib/links/find'
import { csvName } from '@/lib/stats/csv'
import { endpoint } from './endpoint'
import { addressOf } from './links'
import { AddressQuery, CodePath } from './path'
import { download } from './stream'

const READING = { auth: 'link', limit: 'api', params: CodePath, errors: [400, 403, 410] } as const

export const getHistory = endpoint(
  'GET /api/v1/links/{code}/history',
  {
    ...READING,
    id: 'listHistory',
    summary: 'List a link’s changes',
    description:
      'Returns who changed what, from what to what. Creating the link is no entry, and neither is how you file it: tags, folder, comment, archive, and favorites.',
    query: HistoryQuery,
    answers: { 200: ['A page of entries, newest first', HistoryPage] },
  },
  async (call) => {
    const { id } = await findManaged(call.ctx, call.actor, addressOf(call), 'read')
    return listHistory(call.ctx, id, call.query, call.account?.role === 'admin')
  },
)

export const getHistoryCsv = endpoint(
  'GET /api/v1/links/{code}/history.csv',
  {
    ...READING,
    id: 'getHistoryCsv',
    summary: 'Download a link’s changes as CSV',
    description: 'Text that a spreadsheet would run as a formula is prefixed with an apostrophe.',
    query: AddressQuery,
    answers: {
      200: [
        'A CSV file with one line per field that changed, newest first',
        z.string().meta({ description: 'Columns: `id`, `at`, `by`, `handle`, `job`, `field`, `from`, and `to`.' }),
        'text/csv',
      ],
    },
  },
  async (call) => {
    const link = await findManaged(call.ctx, call.actor, addressOf(call), 'read')
    const batches = allHistory(call.ctx, link.id, call.account?.role === 'admin')
    const name = csvName(link.code, 'history')
    return download(historyCsv(batches), { name, type: 'text/csv; charset=utf-8; header=present', signal: call.request.signal })
  },
)
