import { handleDeadLetters, listDeadLetters } from '@/lib/admin/dead-letters'
import { DeadLetterAction } from '@/lib/admin/schemas'
import { json, route } from '../route'
import { adminAction } from './action'

export const getDeadLetters = route({ auth: 'admin', proof: 'key', limit: 'account' }, async ({ ctx }) =>
  json(200, await listDeadLetters(ctx)),
)

const handling = (action: 'retry' | 'drop') =>
  adminAction({ proof: 'key', action: `dead-letters.${action}`, body: DeadLetterAction }, async ({ ctx, body: { ids } }) => {
    const letters = await handleDeadLetters(ctx, action, ids)
    return { target: 'dead letters', details: { letters, ...(ids && { ids }) }, answer: { letters } }
  })

export const postRetry = handling('retry')
export const postDrop = handling('drop')
