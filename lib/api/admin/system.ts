import { json, route } from '../route'

export const getSystem = route({ auth: 'admin', limit: 'api' }, async ({ ctx }) => json(200, await ctx.system.view()))
