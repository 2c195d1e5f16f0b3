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

type Content = Record<string, { schema?: Schema; example?: unknown }>

export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema?: Schema
  example?: unknown
}

export interface Answer {
  description: string
  headers?: Record<string, { description?: string }>
  content?: Content
}

interface Operation {
  operationId: string
  summary: string
  description?: string
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, Answer>
  security?: Record<string, unknown>[]
}

/** In the order in which a newcomer wants them. */
const METHODS = ['post', 'get', 'put', 'patch', 'delete'] as const

export interface OpenApi {
  info: { description?: string }
  paths: Record<string, Partial<Record<(typeof METHODS)[number], Operation>>>
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, { name?: string | undefined } | undefined> }
}

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

/** All operations in the order of the document, each complete in itself. */
export function endpointsOf(api: OpenApi): Endpoint[] {
  return Object.entries(api.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      return operation ? [endpoint(path, method, operation)] : []
    }),
  )
}

function endpoint(path: string, method: string, operation: Operation): Endpoint {
  const { security = [] } = operation
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    title: operation.summary,
    description: operation.description,
    parameters: operation.parameters ?? [],
    body: schemaIn(operation.requestBody?.content),
    bodyType: Object.keys(operation.requestBody?.content ?? {})[0],
    answers: Object.entries(operation.responses),
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

export const refName = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1)

export function schemaIn(content: Content | undefined): Schema | undefined {
  return content && Object.values(content)[0]?.schema
}

/** The schema itself and the name it goes by, if it has one. */
export function resolve(api: OpenApi, schema: Schema): { name: string | undefined; schema: Schema } {
  if (!schema.$ref) return { name: undefined, schema }
  const name = refName(schema.$ref)
  return { name, schema: api.components.schemas[name] ?? {} }
}
