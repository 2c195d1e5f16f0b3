import { z } from 'zod'

/** The part of an OpenAPI 3.1 document that the page shows; the rest passes through unseen. */

export interface Schema {
  $ref?: string | undefined
  type?: string | string[] | undefined
  format?: string | undefined
  description?: string | undefined
  enum?: unknown[] | undefined
  const?: unknown
  default?: unknown
  example?: unknown
  examples?: unknown[] | undefined
  properties?: Record<string, Schema> | undefined
  required?: string[] | undefined
  items?: Schema | undefined
  anyOf?: Schema[] | undefined
  oneOf?: Schema[] | undefined
  minimum?: number | undefined
  maximum?: number | undefined
  minLength?: number | undefined
  maxLength?: number | undefined
}

const Schema: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    format: z.string().optional(),
    description: z.string().optional(),
    enum: z.array(z.unknown()).optional(),
    const: z.unknown().optional(),
    default: z.unknown().optional(),
    example: z.unknown().optional(),
    examples: z.array(z.unknown()).optional(),
    properties: z.record(z.string(), Schema).optional(),
    required: z.array(z.string()).optional(),
    items: Schema.optional(),
    anyOf: z.array(Schema).optional(),
    oneOf: z.array(Schema).optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    minLength: z.number().optional(),
    maxLength: z.number().optional(),
  }),
)

const Content = z.record(z.string(), z.object({ schema: Schema.optional(), example: z.unknown().optional() }))

const Parameter = z.object({
  $ref: z.string().optional(),
  name: z.string().default(''),
  in: z.string().default('query'),
  required: z.boolean().default(false),
  description: z.string().optional(),
  schema: Schema.optional(),
  example: z.unknown().optional(),
})

const Answer = z.object({
  $ref: z.string().optional(),
  description: z.string().default(''),
  headers: z.record(z.string(), z.object({ description: z.string().optional() })).optional(),
  content: Content.optional(),
})

const Operation = z.object({
  operationId: z.string().optional(),
  summary: z.string().optional(),
  description: z.string().optional(),
  parameters: z.array(Parameter).default([]),
  requestBody: z.object({ required: z.boolean().optional(), content: Content }).optional(),
  responses: z.record(z.string(), Answer).default({}),
  security: z.array(z.record(z.string(), z.unknown())).optional(),
})

/** In the order in which a newcomer wants them. */
const METHODS = ['post', 'get', 'put', 'patch', 'delete'] as const

const PathItem = z.object({
  parameters: z.array(Parameter).default([]),
  get: Operation.optional(),
  post: Operation.optional(),
  put: Operation.optional(),
  patch: Operation.optional(),
  delete: Operation.optional(),
})

const OpenApi = z.object({
  info: z.object({ title: z.string(), version: z.string(), description: z.string().optional() }),
  servers: z.array(z.object({ url: z.string() })).default([]),
  security: z.array(z.record(z.string(), z.unknown())).default([]),
  paths: z.record(z.string(), PathItem).default({}),
  components: z
    .object({
      schemas: z.record(z.string(), Schema).default({}),
      parameters: z.record(z.string(), Parameter).default({}),
      responses: z.record(z.string(), Answer).default({}),
    })
    .prefault({}),
})

export type OpenApi = z.infer<typeof OpenApi>
export type Parameter = z.infer<typeof Parameter>
export type Answer = z.infer<typeof Answer>
export type Operation = z.infer<typeof Operation>

export interface Endpoint {
  /** Its anchor on the page. */
  id: string
  method: string
  path: string
  title: string
  description: string | undefined
  parameters: Parameter[]
  body: Schema | undefined
  /** Media type of the body. */
  bodyType: string | undefined
  answers: [status: string, answer: Answer][]
  /** Who may call it. `optional`: it also answers those who show nothing. */
  key: 'none' | 'optional' | 'link' | 'account' | 'session'
  isForAdmins: boolean
}

export function parseDocument(document: unknown): OpenApi {
  return OpenApi.parse(document)
}

/** All operations in the order of the document, each complete in itself. */
export function endpointsOf(api: OpenApi): Endpoint[] {
  return Object.entries(api.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      return operation ? [endpoint(api, path, method, operation, item.parameters)] : []
    }),
  )
}

function endpoint(api: OpenApi, path: string, method: string, operation: Operation, shared: Parameter[]): Endpoint {
  const security = operation.security ?? api.security
  return {
    id: slug(operation.operationId ?? `${method} ${path}`),
    method: method.toUpperCase(),
    path,
    title: operation.summary ?? operation.operationId ?? `${method.toUpperCase()} ${path}`,
    description: operation.description,
    parameters: [...shared, ...operation.parameters].map((parameter) => deref(parameter, api.components.parameters)),
    body: schemaIn(operation.requestBody?.content),
    bodyType: Object.keys(operation.requestBody?.content ?? {})[0],
    answers: Object.entries(operation.responses).map(([status, answer]) => [status, deref(answer, api.components.responses)]),
    key: keyOf(security),
    isForAdmins: security.some((way) => Object.values(way).some((roles) => Array.isArray(roles) && roles.includes('admin'))),
  }
}

function keyOf(security: Record<string, unknown>[]): Endpoint['key'] {
  if (security.length === 0) return 'none'
  if (security.some((way) => Object.keys(way).length === 0)) return 'optional'
  if (security.some((way) => 'manageToken' in way)) return 'link'
  return security.some((way) => 'apiKey' in way) ? 'account' : 'session'
}

const slug = (text: string) => text.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '')

function deref<T extends { $ref?: string | undefined }>(item: T, components: Record<string, T>): T {
  return (item.$ref && components[refName(item.$ref)]) || item
}

export const refName = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1)

export function schemaIn(content: z.infer<typeof Content> | undefined): Schema | undefined {
  return content && Object.values(content)[0]?.schema
}

/** The schema itself and the name it goes by, if it has one. */
export function resolve(api: OpenApi, schema: Schema): { name: string | undefined; schema: Schema } {
  if (!schema.$ref) return { name: undefined, schema }
  const name = refName(schema.$ref)
  return { name, schema: api.components.schemas[name] ?? {} }
}
