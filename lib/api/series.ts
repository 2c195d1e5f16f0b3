import { z } from 'zod'
import { writer } from '@/lib/i18n/translate'
import { JobView } from '@/lib/jobs/schemas'
import { idempotencyOf } from '@/lib/links/idempotency'
import { type Drawn, drawNumbers, type Numbers, previewSeries } from '@/lib/series/draw'
import { createSeriesLinks } from '@/lib/series/links'
import {
  CreateSeries,
  DrawInput,
  DrawnNumbers,
  SeriesLinks,
  SeriesList,
  SeriesName,
  SeriesPreview,
  SeriesView,
} from '@/lib/series/schemas'
import { createSeries, deleteSeries, findSeries, listSeries, viewOf } from '@/lib/series/store'
import { type Call, endpoint } from './endpoint'
import { jobAnswer } from './jobs'
import { json } from './problem'

const COMMON = { auth: 'account', proof: 'key', limit: 'api' } as const
const ONE = { ...COMMON, params: z.object({ name: SeriesName }) } as const

const nameOf = ({ params }: Pick<Call<unknown, unknown>, 'params'>) => params.name ?? ''

/** What is said of numbers, in the language of the caller. */
const told = <T extends Numbers | Drawn>({ warning, ...numbers }: T, locale: Parameters<typeof writer>[0]) => ({
  ...numbers,
  warning: warning && writer(locale)(warning),
})

export const getAllSeries = endpoint(
  'GET /api/v1/series',
  { ...COMMON, id: 'listSeries', summary: 'List your series', answers: { 200: ['The series, by name', SeriesList] } },
  async ({ ctx, account }) => ({ series: await listSeries(ctx, account) }),
)

export const postSeries = endpoint(
  'POST /api/v1/series',
  {
    ...COMMON,
    id: 'createSeries',
    summary: 'Create a series',
    description:
      'A series gives numbers, each once. `cycle` goes from `start` to `max` by `step`; with `rest`, it begins again, and a number comes again once it has rested. `counter` begins at `first` each day. `shuffled` gives the numbers of each day in a random order; when those with so many digits are used up, it goes on with one digit more. `bitmap` gives the numbers from 0 to `size` - 1 in no order; a preview of it shows examples. Days are in UTC.',
    body: CreateSeries,
    answers: { 201: ['The new series', SeriesView] },
    errors: [409],
  },
  async ({ ctx, account, body }) => createSeries(ctx, account, body),
)

export const getSeries = endpoint(
  'GET /api/v1/series/{name}',
  { ...ONE, id: 'getSeries', summary: 'Retrieve a series', answers: { 200: ['The series', SeriesView] } },
  async (call) => viewOf(await findSeries(call.ctx, call.account, nameOf(call))),
)

export const removeSeries = endpoint(
  'DELETE /api/v1/series/{name}',
  {
    ...ONE,
    id: 'deleteSeries',
    summary: 'Delete a series',
    description: 'Links that have its numbers stay. A new series of the same name knows nothing of the numbers of this one.',
    answers: { 204: 'The series is deleted' },
  },
  (call) => deleteSeries(call.ctx, call.account, nameOf(call)),
)

export const getPreview = endpoint(
  'GET /api/v1/series/{name}/preview',
  {
    ...ONE,
    id: 'previewSeries',
    summary: 'Preview the next numbers',
    description: 'Shows up to ten numbers that would be next, and how many are left. Nothing is drawn.',
    answers: { 200: ['The next numbers', SeriesPreview] },
  },
  async (call) => told(await previewSeries(call.ctx, call.account, nameOf(call)), call.locale),
)

export const postNext = endpoint(
  'POST /api/v1/series/{name}/next',
  {
    ...ONE,
    id: 'drawNumbers',
    summary: 'Draw the next numbers',
    description:
      'Draws up to 10,000 numbers, all or none. No number comes twice, whatever happens to the server. If too few are left, the response is 409, or 503 with `Retry-After` if enough become available later. An account can draw 200,000 numbers an hour.',
    headers: z.object({
      'Idempotency-Key': z.string().max(255).optional().meta({
        description: 'For 24 hours, repeating a request with the same key and body returns the same numbers.',
      }),
    }),
    body: DrawInput,
    answers: { 200: ['The numbers', DrawnNumbers] },
    errors: [409],
  },
  async (call) => {
    const { ctx, account, request, body, locale } = call
    const name = nameOf(call)
    const key = request.headers.get('idempotency-key')
    const named = key === null ? null : idempotencyOf(ctx.config.APP_SECRET, key, account.id, { series: name, ...body })
    const { isReplayed, ...drawn } = await drawNumbers(ctx, account, name, body.count, named)
    return json(200, told(drawn, locale), isReplayed ? { 'Idempotency-Replayed': 'true' } : {})
  },
)

export const postSeriesLinks = endpoint(
  'POST /api/v1/series/{name}/links',
  {
    ...ONE,
    id: 'createSeriesLinks',
    summary: 'Create links from a series',
    description:
      'Draws numbers and starts a job that creates a link for each, with the number as its back-half. List the job’s items for the result of each link. If this is refused, nothing is drawn.',
    headers: z.object({
      'Idempotency-Key': z.string().max(255).optional().meta({
        description: 'For 24 hours, repeating a request with the same key and body returns the same job.',
      }),
    }),
    body: SeriesLinks,
    answers: { 202: ['The job', JobView] },
    errors: [409],
  },
  async (call) => {
    const { ctx, account, address, locale, body, request } = call
    const name = nameOf(call)
    const key = request.headers.get('idempotency-key')
    const asked = { series: name, links: body }
    const named = key === null ? null : idempotencyOf(ctx.config.APP_SECRET, key, account.id, asked)
    const { job, isReplayed } = await createSeriesLinks(ctx, { account, address, locale }, name, body, named)
    return jobAnswer(ctx, job, isReplayed ? { 'Idempotency-Replayed': 'true' } : {})
  },
)
