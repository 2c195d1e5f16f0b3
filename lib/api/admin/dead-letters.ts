import { handleDeadLetters, listDeadLetters } from '@/lib/admin/dead-letters'
import { DeadLetterAction, DeadLetterPage, DeadLettersHandled } from '@/lib/admin/schemas'
import { endpoint } from '../endpoint'
import { json } from '../problem'
import { adminAction, LOOKING } from './action'

export const getDeadLetters = endpoint(
  {
    ...LOOKING,
    path: '/api/v1/admin/dead-letters',
    summary: 'List clicks that could not be counted',
    answers: { 200: ['The first 200', DeadLetterPage] },
  },
  async ({ ctx }) => json(200, await listDeadLetters(ctx)),
)

const handling = (action: 'retry' | 'drop', summary: string) =>
  adminAction(
    {
      method: 'POST',
      path: `/api/v1/admin/dead-letters/${action}`,
      summary,
      proof: 'key',
      action: `dead-letters.${action}`,
      body: DeadLetterAction,
      answers: { 200: ['How many there were of those named', DeadLettersHandled] },
    },
    async ({ ctx, body: { ids } }) => {
      const letters = await handleDeadLetters(ctx, action, ids)
      return { target: 'dead letters', details: { letters, ...(ids && { ids }) }, answer: { letters } }
    },
  )

export const postRetry = handling('retry', 'Count clicks again that could not be counted')
export const postDrop = handling('drop', 'Drop clicks that could not be counted')
