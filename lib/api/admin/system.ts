import { SystemView } from '@/lib/admin/schemas'
import { endpoint } from '../endpoint'
import { json } from '../problem'
import { LOOKING } from './action'

export const getSystem = endpoint(
  {
    ...LOOKING,
    path: '/api/v1/admin/system',
    limit: 'api',
    summary: 'Look at how the system is doing',
    answers: { 200: ['Its parts, as this process sees them', SystemView] },
  },
  async ({ ctx }) => json(200, await ctx.system.view()),
)
