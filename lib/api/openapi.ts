import { z } from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi'
import { cookieName } from '@/lib/accounts/cookies'
import type { Config } from '@/lib/config'
import { WEBHOOK_EVENTS, WebhookHeaders } from '@/lib/webhooks/event-schemas'
import type { Answer, Description, Endpoint } from './endpoint'

const Problem = z
  .object({
    type: z.string(),
    title: z.string().meta({ example: 'Unprocessable Entity' }),
    status: z.int().meta({ example: 422 }),
    detail: z.string(),
    code: z
      .string()
      .meta({ description: 'A code for programs. It stays the same across releases.', example: 'validation_failed' }),
    requestId: z.string().optional().meta({
      description: 'By which the operator finds this request in the log; also in `X-Request-Id`.',
      example: 'Zc0fQx3mT1aB',
    }),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Problem', description: 'An error, as defined by RFC 9457.' })

const ERRORS: Readonly<Record<number, string>> = {
  400: 'The request can’t be read: invalid JSON or CSV, a wrong encoding, cursor, or header',
  401: 'The token is missing or invalid',
  403: 'You aren’t allowed to do this',
  404: 'Not found',
  409: 'Already taken, in use, or not possible right now',
  410: 'The link was deleted and can be restored',
  412: 'The link isn’t the version that `If-Match` names any more',
  413: 'The body is larger than 64 KB, or a list or file larger than it may be',
  415: 'The body has the wrong media type',
  422: 'A field is missing or invalid; see `errors`',
  429: 'Too many requests; see `Retry-After`',
  503: 'Temporarily unavailable, for example because the database doesn’t answer; see `Retry-After`',
}

const RECENT = 'Requires a sign-in or password confirmation within the last 15 minutes; see `POST /api/v1/account/proof`.'

/** @returns the OpenAPI 3.1 document of these endpoints, from the schemas that validate; made at the first call */
export function documentOf(
  endpoints: readonly Endpoint[],
): (config: Pick<Config, 'BASE_URL'>) => ReturnType<typeof createDocument> {
  let made: ReturnType<typeof createDocument> | undefined
  return (config) => {
    made ??= withWebhooks(
      createDocument({
        openapi: '3.1.0',
        info: {
          title: 'Terse',
          version: '1',
          description: 'Short links that do not break.',
          license: { name: 'MIT', identifier: 'MIT' },
        },
        components: {
          securitySchemes: {
            manageToken: {
              type: 'http',
              scheme: 'bearer',
              description: 'The manage token from the response that created the link.',
            },
            apiKey: { type: 'http', scheme: 'bearer', description: 'An account’s API key. It starts with `terse_`.' },
          },
        },
        paths: { ...pathsOf(endpoints), ...eventPaths() },
      }),
    )
    const name = cookieName(config, 'session_token')
    const session = { type: 'apiKey', in: 'cookie', name, description: 'The session of a signed-in browser.' } as const
    const components = { ...made.components, securitySchemes: { ...made.components?.securitySchemes, session } }
    return { ...made, components, servers: [{ url: config.BASE_URL }] }
  }
}

/** In front of the name of an event: no path of ours begins so. */
const EVENT = 'event:'

/** What webhooks are sent is an output of ours, and has the schemas of answers: it is described as one, and moved afterwards. */
const eventPaths = (): ZodOpenApiPathsObject =>
  Object.fromEntries(
    WEBHOOK_EVENTS.map(({ type, when, body }) => [
      `${EVENT}${type}`,
      {
        post: {
          operationId: type,
          summary: when,
          requestParams: { header: WebhookHeaders },
          responses: { '2XX': { description: 'You have it', content: { 'application/json': { schema: body } } } },
        },
      },
    ]),
  )

function withWebhooks(document: ReturnType<typeof createDocument>): ReturnType<typeof createDocument> {
  const entries = Object.entries(document.paths ?? {})
  const events = entries.filter(([path]) => path.startsWith(EVENT))
  const webhooks = Object.fromEntries(
    events.map(([path, { post }]) => {
      const { content } = (post?.responses?.['2XX'] ?? {}) as { content?: object }
      const responses = { '2XX': { description: 'It has arrived. Any other answer has it sent again.' } }
      return [path.slice(EVENT.length), { post: { ...post, requestBody: { required: true, content }, responses } }]
    }),
  )
  const paths = Object.fromEntries(entries.filter(([path]) => !path.startsWith(EVENT)))
  return { ...document, paths, webhooks } as ReturnType<typeof createDocument>
}

function pathsOf(endpoints: readonly Endpoint[]): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {}
  for (const { spec } of endpoints) {
    paths[spec.path] = { ...paths[spec.path], [spec.method.toLowerCase()]: operationOf(spec) }
  }
  return paths
}

function operationOf(spec: Description): ZodOpenApiOperationObject {
  const { summary, description, headers, query, body, bodyType = 'application/json', file, upload } = spec
  const security = securityOf(spec)
  const path = spec.params ?? namedIn(spec.path)
  const text = [description, spec.proof === 'recent' && RECENT].filter(Boolean).join(' ')
  return {
    operationId: spec.id ?? nameOf(spec),
    summary,
    ...(text && { description: text }),
    ...(security && { security }),
    ...((path || query || headers) && {
      requestParams: {
        ...(path && { path }),
        ...(query && { query: query as z.ZodObject }),
        ...(headers && { header: headers }),
      },
    }),
    ...(body && { requestBody: { required: !body.safeParse(undefined).success, content: { [bodyType]: { schema: body } } } }),
    ...(file && { requestBody: { required: true, content: contentOf(file) } }),
    ...(upload && { requestBody: { required: true, content: contentOf(upload) } }),
    responses: {
      ...Object.fromEntries(Object.entries(spec.answers).map(([status, answer]) => [status, responseOf(answer)])),
      ...Object.fromEntries(refusalsOf(spec).map((status) => [String(status), refusal(status)])),
    },
  }
}

function contentOf({ types, example = 'links.csv' }: { types: readonly string[]; example?: string }) {
  const schema = z.string().meta({ format: 'binary', example })
  return Object.fromEntries(types.map((type) => [type, { schema }]))
}

function securityOf({ auth, proof }: Description): Record<string, string[]>[] | null {
  if (auth === 'anyone') return null
  const roles = auth === 'admin' ? ['admin'] : []
  if (proof !== 'key') return [{ session: roles }]
  return auth === 'link' ? [{ manageToken: [] }, { apiKey: [] }] : [{ apiKey: roles }]
}

/** The statuses of what is refused, by who may call an endpoint and what it takes, and those it states. */
function refusalsOf({ auth, limit, path, body, file, upload, query, errors = [] }: Description): number[] {
  if (limit === null) return []
  const statuses = [401, 429, 503, ...errors]
  if (auth === 'account' || auth === 'admin') statuses.push(403)
  if (path.includes('{')) statuses.push(404)
  if (body || file || upload) statuses.push(400, 413, 415, 422)
  if (query) statuses.push(422)
  return [...new Set(statuses)].sort()
}

function responseOf(answer: Answer) {
  if (typeof answer === 'string') return { description: answer }
  const [description, schema, mediaType = 'application/json'] = answer
  return { description, content: { [mediaType]: { schema } } }
}

function refusal(status: number) {
  return { description: ERRORS[status] ?? 'Refused', content: { 'application/problem+json': { schema: Problem } } }
}

function namedIn(path: string): z.ZodObject | null {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return names.length === 0 ? null : z.object(Object.fromEntries(names.map((name) => [name, z.string()])))
}

/** `postAdminAccountsBan` for POST /api/v1/admin/accounts/{id}/ban; `getAdminLinksOne` for GET /api/v1/admin/links/{id}. */
function nameOf({ method, path }: Description): string {
  const words =
    path
      .replace('/api/v1', '')
      .replace(/\{\w+\}$/, 'one')
      .match(/\w[\w-]*(?=\/|$)/g) ?? []
  const camel = words.join('-').replace(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase())
  return method.toLowerCase() + camel
}
