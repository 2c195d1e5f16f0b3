import { type Endpoint, type OpenApi, resolve, type Schema } from './document'

/** A command for a terminal that calls `endpoint`, with the document's own examples in it. */
export function curlExample(api: OpenApi, endpoint: Endpoint, baseUrl: string): string {
  const path = endpoint.parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce(
      (text, { name, example, schema }) => text.replace(`{${name}}`, encodeURIComponent(exampleOf(example, schema) ?? name)),
      endpoint.path,
    )
  const lines = [`curl${endpoint.method === 'GET' ? '' : ` -X ${endpoint.method}`} '${baseUrl}${path}'`]
  if (endpoint.key === 'link') lines.push(`-H 'Authorization: Bearer <manage token or API key>'`)
  if (endpoint.key === 'account') lines.push(`-H 'Authorization: Bearer <API key>'`)
  if (endpoint.key === 'session') lines.push(`-b '${api.components.securitySchemes.session?.name}=<from a browser>'`)
  if (endpoint.body) lines.push(`-H 'Content-Type: ${endpoint.bodyType}'`, bodyOf(api, endpoint.body, endpoint.method))
  return lines.join(' \\\n  ')
}

function exampleOf(example: unknown, schema: Schema | undefined): string | undefined {
  const value = example ?? schema?.example ?? schema?.examples?.[0]
  return value === undefined ? undefined : String(value)
}

/** A text is in a file, which its example names. */
function bodyOf(api: OpenApi, body: Schema, method: string): string {
  if (resolve(api, body).schema.type === 'string') return `--data-binary @${exampleOf(undefined, body)}`
  return `-d '${JSON.stringify(exampleBody(api, body, method))}'`
}

/** What must be sent, or, for a change, the first field: the shortest body that does something. */
function exampleBody(api: OpenApi, body: Schema, method: string): Record<string, unknown> {
  const { schema } = resolve(api, body)
  const properties = Object.entries(schema.properties ?? {})
  const named = properties.filter(([name]) => schema.required?.includes(name) || (method === 'POST' && name === 'code'))
  return Object.fromEntries(
    (named.length > 0 ? named : properties.slice(0, 1)).map(([name, { example, examples }]) => [
      name,
      example ?? examples?.[0] ?? '…',
    ]),
  )
}
