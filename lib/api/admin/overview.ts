import { OverviewQuery } from '@/lib/accounts/schemas'
import { AdminOverview } from '@/lib/admin/schemas'
import { endpoint } from '../endpoint'
import { json } from '../problem'
import { LOOKING } from './action'

export const getAdminOverview = endpoint(
  {
    ...LOOKING,
    path: '/api/v1/admin/overview',
    summary: 'Count links, clicks, accounts and reports',
    query: OverviewQuery,
    answers: { 200: ['The numbers', AdminOverview] },
  },
  async ({ ctx, query }) => json(200, await ctx.adminOverviews.of(query.days)),
)
