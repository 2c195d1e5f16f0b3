import type { z } from 'zod'
import type { JobView } from '@/lib/jobs/schemas'
import type { CreateSeries, DrawnNumbers, SeriesLinks, SeriesPreview, SeriesView } from '@/lib/series/schemas'
import { send } from './http'

/** Series of the account that is signed in. */

const PATH = '/api/v1/series'
const pathOf = (name: string, action = '') => `${PATH}/${encodeURIComponent(name)}${action}`

export const listSeries = (signal?: AbortSignal) => send<{ series: SeriesView[] }>('GET', PATH, { signal })
export const createSeries = (body: z.input<typeof CreateSeries>) => send<SeriesView>('POST', PATH, { body })
export const deleteSeries = (name: string) => send<unknown>('DELETE', pathOf(name))
export const previewSeries = (name: string, signal?: AbortSignal) =>
  send<SeriesPreview>('GET', pathOf(name, '/preview'), { signal })

/** @param attempt the same for each try of one draw, so that a try whose answer was lost draws no others */
export const drawNumbers = (name: string, count: number, attempt: string) =>
  send<DrawnNumbers>('POST', pathOf(name, '/next'), { body: { count }, headers: { 'Idempotency-Key': attempt } })

export const createSeriesLinks = (name: string, body: z.input<typeof SeriesLinks>) =>
  send<JobView>('POST', pathOf(name, '/links'), { body })
