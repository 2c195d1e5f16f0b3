import { z } from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponseObject } from 'zod-openapi'
import { CreateLink, LinkPage, LinkView, ListLinks, SharedLinkView, UpdateLink } from '@/lib/links/schemas'
import { ClickPage, ClicksExportQuery, ClicksQuery, Stats, StatsQuery } from '@/lib/stats/schemas'
import { accountPaths } from './openapi/account'
import { jobPaths } from './openapi/jobs'
import { type ErrorStatus, errors, jsonOf } from './openapi/parts'
import { visitorPaths } from './openapi/visitors'
import { AddressQuery } from './query'

const codeParam = z.object({
  code: z.string().meta({ description: 'The code, percent-encoded (a slash as `%2F`).', example: 'spring-sale' }),
})
const address = { path: codeParam, query: AddressQuery }
/** The creator of a link without an account, or the account that it belongs to. */
const token: Record<string, string[]>[] = [{ manageToken: [] }, { apiKey: [] }]
const changing: ErrorStatus[] = [401, 403, 404, 410, 429, 503]

const createOperation: ZodOpenApiOperationObject = {
  operationId: 'createLink',
  summary: 'Make a link',
  description:
    'Without an account the answer holds a manage token, shown this once. With `reuse`, an existing plain link may be the answer.',
  requestParams: {
    header: z.object({
      'Idempotency-Key': z.string().max(255).optional().meta({
        description:
          'The same key with the same body gets the same answer for 24 hours. Without an account: a random UUID (version 4 or 7).',
      }),
    }),
  },
  requestBody: { required: true, content: jsonOf(CreateLink) },
  responses: {
    201: { description: 'Made', content: jsonOf(LinkView) },
    200: {
      description: 'An existing link (`reuse`): one of your account, or, without an account, what can be known of anyone’s',
      content: jsonOf(z.union([LinkView, SharedLinkView])),
    },
    ...errors(400, 401, 409, 413, 415, 422, 429, 503),
  },
}

const text = (description: string) => z.string().meta({ description })

/** Reading the clicks of a link. */
function reading(
  operationId: string,
  summary: string,
  query: z.ZodObject,
  description: string,
  answer: ZodOpenApiResponseObject,
) {
  return {
    operationId,
    summary,
    description,
    security: token,
    requestParams: { path: codeParam, query },
    responses: { 200: answer, ...errors(400, 422, ...changing) },
  } satisfies ZodOpenApiOperationObject
}

const STATS_NOTE =
  'The range is rounded outwards to whole hours of UTC, with `interval=minute` to whole minutes. With a filter only clicks of people count. Under a filter breakdowns, and with more than one everything, are counted from single clicks, the latest 300,000 at most: see `rawSince`.'

const readingPaths = {
  '/api/v1/links/{code}/stats': {
    get: reading('getStats', 'Count the clicks of a link', StatsQuery, STATS_NOTE, {
      description: 'Totals, a series, and breakdowns',
      content: jsonOf(Stats),
    }),
  },
  '/api/v1/links/{code}/stats.csv': {
    get: reading('getStatsCsv', 'Download the counts as CSV', StatsQuery, `One table of all counts. ${STATS_NOTE}`, {
      description: 'A file',
      content: {
        'text/csv': {
          schema: text('Columns `section` (total, the interval, or a dimension), value, clicks, visitors, bots, previews.'),
        },
      },
    }),
  },
  '/api/v1/links/{code}/clicks': {
    get: reading('listClicks', 'List single clicks', ClicksQuery, 'Single clicks are deleted after a time; counts stay.', {
      description: 'A page, newest first',
      content: jsonOf(ClickPage),
    }),
  },
  '/api/v1/links/{code}/clicks.csv': {
    get: reading(
      'getClicksCsv',
      'Download single clicks as CSV',
      ClicksExportQuery,
      'All of the range, newest first, however many. Texts that a spreadsheet would run as a formula begin with an apostrophe.',
      {
        description: 'A file, a click on each line',
        content: { 'text/csv': { schema: text('A header line, then a line for each click.') } },
      },
    ),
  },
  '/api/v1/links/{code}/live': {
    get: reading(
      'watchClicks',
      'Watch clicks live',
      AddressQuery,
      'Server-sent events: `clicks` with `{"clicks": 7}` at once and whenever the number changes, at most once a second. A comment every 15 s keeps the connection open. It ends when the link is deleted, and with `replaced` when a newer connection takes its place: an account, or an address without one, has 20.',
      { description: 'Events, until you leave', content: { 'text/event-stream': { schema: text('Server-sent events.') } } },
    ),
  },
}

/** The API as an OpenAPI 3.1 document, generated from the schemas that validate. */
export function openApiDocument(baseUrl: string) {
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Terse',
      version: '1',
      description: 'Short links that do not break.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    components: {
      securitySchemes: {
        manageToken: { type: 'http', scheme: 'bearer', description: 'The manage token from the answer that made the link.' },
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of an account; it begins with `terse_`.' },
        session: { type: 'apiKey', in: 'cookie', name: 'terse.session_token', description: 'A browser that is signed in.' },
      },
    },
    paths: {
      '/api/v1/links': {
        post: createOperation,
        get: {
          operationId: 'listLinks',
          summary: 'List your links',
          description: 'Those of your account, or with a manage token the link that it manages.',
          security: token,
          requestParams: { query: ListLinks },
          responses: {
            200: { description: 'A page', content: jsonOf(LinkPage) },
            ...errors(400, 401, 422, 429, 503),
          },
        },
      },
      '/api/v1/links/{code}': {
        get: {
          operationId: 'getLink',
          summary: 'Look at a link',
          security: token,
          requestParams: address,
          responses: { 200: { description: 'The link', content: jsonOf(LinkView) }, ...errors(...changing) },
        },
        patch: {
          operationId: 'updateLink',
          summary: 'Change a link',
          description: 'Visible everywhere within a second.',
          security: token,
          requestParams: address,
          requestBody: { required: true, content: jsonOf(UpdateLink) },
          responses: {
            200: { description: 'The link as it is now', content: jsonOf(LinkView) },
            ...errors(400, 409, 413, 415, 422, ...changing),
          },
        },
        delete: {
          operationId: 'deleteLink',
          summary: 'Delete a link',
          description: 'The code answers 410 from then on and can be restored until it is free again.',
          security: token,
          requestParams: address,
          responses: { 204: { description: 'Deleted' }, ...errors(...changing) },
        },
      },
      '/api/v1/links/{code}/restore': {
        post: {
          operationId: 'restoreLink',
          summary: 'Undo a deletion',
          security: token,
          requestParams: address,
          responses: { 200: { description: 'The link', content: jsonOf(LinkView) }, ...errors(401, 403, 404, 409, 429, 503) },
        },
      },
      ...readingPaths,
      ...visitorPaths,
      ...jobPaths,
      ...accountPaths,
    },
  })
}
