import { OverviewQuery } from '@/lib/accounts/schemas'
import { json, route } from '../route'

export const getAdminOverview = route(
  { auth: 'admin', proof: 'key', limit: 'account', query: OverviewQuery },
  async ({ ctx, query }) => json(200, await ctx.adminOverviews.of(query.days)),
)
