import { z } from 'zod'

const DEEP = JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) as unknown

/** What a field may be sent as by someone who means no good. */
export const HOSTILE: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  '9'.repeat(40),
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\u202e\u0000',
  'ﷺ'.repeat(200),
  '😀'.repeat(300),
  'x'.repeat(70_000),
  "' OR 1=1 --",
  '%',
  '%00',
  '%zz',
  '../../etc/passwd',
  '\r\nSet-Cookie: a=b',
  '__proto__',
  'constructor',
  'https://',
  'javascript:alert(1)',
  'https://[::1',
  `https://example.com/${'a'.repeat(9_000)}`,
  'http://user:pass@127.0.0.1:22/',
  'https://xn--a.example/',
  '2026-02-30T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '9999-12-31T23:59:59.999Z',
  '0000-01-01T00:00:00Z',
  '9223372036854775808',
  '-9223372036854775809',
  [],
  [[]],
  {},
  { toString: 'x', length: -1 },
  { __proto__: null, $ne: 1 },
  Array.from({ length: 2_000 }, (_, i) => i),
  Array.from({ length: 200 }, () => 'x'),
  DEEP,
]

interface JsonSchema {
  type?: string
  const?: unknown
  enum?: unknown[]
  examples?: unknown[]
  default?: unknown
  format?: string
  pattern?: string
  minimum?: number
  minLength?: number
  minItems?: number
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  example?: unknown
}

const shapes = new WeakMap<z.ZodType, unknown>()

/**
 * A value that a schema takes, or nearly: all of its fields, each with a plain value. The same at each call, not to be changed.
 */
export function validShape(schema: z.ZodType): unknown {
  if (!shapes.has(schema)) {
    const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' })
    shapes.set(schema, shapeFor(described as JsonSchema))
  }
  return shapes.get(schema)
}

function shapeFor(schema: JsonSchema, depth = 0): unknown {
  if (depth > 5) return null
  if (schema.const !== undefined) return schema.const
  if (schema.example !== undefined) return schema.example
  const given = schema.examples?.[0] ?? schema.enum?.[0] ?? schema.default
  if (given !== undefined) return given
  const choice = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (choice) return shapeFor(choice[0] ?? {}, depth + 1)
  if (schema.type === 'object' || schema.properties) {
    return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, part]) => [name, shapeFor(part, depth + 1)]))
  }
  if (schema.type === 'array') return [shapeFor(schema.items ?? {}, depth + 1)]
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(schema.minimum ?? 0, 1)
  if (schema.type === 'boolean') return false
  if (schema.format === 'date-time') return '2030-01-01T00:00:00Z'
  if (schema.format === 'email') return 'someone@example.com'
  if (schema.format === 'uri') return 'https://example.com/fuzz'
  return 'x'.repeat(Math.max(schema.minLength ?? 0, 8))
}
