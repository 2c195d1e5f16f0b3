import { json, route } from '../route'

export const getSystem = route({ auth: 'admin', proof: 'key', limit: 'api' }, async ({ ctx }) =>
  json(200, await ctx.system.view()),
)
