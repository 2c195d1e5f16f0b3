import { z } from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponseObject } from 'zod-openapi'
import { CreateLink, LinkPage, LinkView, ListLinks, UpdateLink } from '@/lib/links/schemas'
import { ClickPage, ClicksExportQuery, ClicksQuery, Stats, StatsQuery } from '@/lib/stats/schemas'
import { AddressQuery } from './query'

const Problem = z
  .object({
    type: z.string(),
    title: z.string().meta({ example: 'Unprocessable Entity' }),
    status: z.int().meta({ example: 422 }),
    detail: z.string(),
    code: z.string().meta({ description: 'Stays the same from release to release.', example: 'validation_failed' }),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Problem', description: 'An error (RFC 9457).' })

const ERRORS = {
  400: 'Not JSON, or not decodable',
  401: 'A token is missing',
  403: 'The token does not manage this link',
  404: 'There is no such link',
  409: 'The code is taken or in quarantine, or the link is in use',
  410: 'The link was deleted and can be restored',
  413: 'The body is longer than 64 KB',
  415: 'The body is not application/json',
  422: 'A field is missing or invalid; `errors` names it',
  429: 'Too many requests; see Retry-After',
  503: 'The database does not answer; see Retry-After',
} as const

type ErrorStatus = keyof typeof ERRORS

function errors(...statuses: ErrorStatus[]) {
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      { description: ERRORS[status], content: { 'application/problem+json': { schema: Problem } } },
    ]),
  )
}

const jsonOf = <S extends z.ZodType>(schema: S) => ({ 'application/json': { schema } })
const codeParam = z.object({
  code: z.string().meta({ description: 'The code, percent-encoded (a slash as `%2F`).', example: 'spring-sale' }),
})
const address = { path: codeParam, query: AddressQuery }
const token = [{ manageToken: [] }]
const changing: ErrorStatus[] = [401, 403, 404, 410, 429, 503]

const createOperation: ZodOpenApiOperationObject = {
  operationId: 'createLink',
  summary: 'Make a link',
  description:
    'Without an account the answer holds a manage token, shown this once. With `reuse`, an existing plain link may be the answer.',
  requestParams: {
    header: z.object({
      'Idempotency-Key': z
        .string()
        .max(255)
        .optional()
        .meta({ description: 'The same key with the same body gets the same answer for 24 hours.' }),
    }),
  },
  requestBody: { required: true, content: jsonOf(CreateLink) },
  responses: {
    201: { description: 'Made', content: jsonOf(LinkView) },
    200: { description: 'An existing link (`reuse`)', content: jsonOf(LinkView) },
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
      'Server-sent events: `clicks` with `{"clicks": 7}` at once and whenever the number changes, at most once a second. A comment every 15 s keeps the connection open. It ends when the link is deleted.',
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
      },
    },
    paths: {
      '/api/v1/links': {
        post: createOperation,
        get: {
          operationId: 'listLinks',
          summary: 'List the links that a token manages',
          security: token,
          requestParams: { query: ListLinks },
          responses: {
            200: { description: 'A page, newest first', content: jsonOf(LinkPage) },
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
    },
  })
}
