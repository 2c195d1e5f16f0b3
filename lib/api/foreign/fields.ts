import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { jsonOf, readText, typeOf } from '../body'

/** Fields of a body or query, by name: not trusted to be anything yet. */
export type Fields = Readonly<Record<string, unknown>>

/**
 * What a request sent, whether as JSON or as a form; nothing for a body that is neither.
 * @param isList whether it may send a list, which is then called `items`
 * @throws TerseError 'payload_too_large' or 'bad_request'
 */
export async function readFields(request: Request, isList = false): Promise<Fields> {
  if (request.body === null || request.method === 'GET' || request.method === 'HEAD') return {}
  const type = typeOf(request)
  if (type === 'application/x-www-form-urlencoded') return fromPairs(new URLSearchParams(await readText(request)))
  if (type === 'multipart/form-data') return fromPairs(await readForm(request))
  const text = await readText(request)
  if (text.trim() === '') return {}
  // Some clients name no type.
  if (type !== '' && type !== 'application/json' && !type.endsWith('+json') && type !== 'text/plain') return {}
  const value = jsonOf(text)
  if (isList && Array.isArray(value)) return { items: value }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TerseError('bad_request', say('api.request.notJson'))
  }
  return value as Fields
}

async function readForm(request: Request): Promise<FormData> {
  const text = await readText(request)
  try {
    return await new Response(text, { headers: { 'Content-Type': request.headers.get('content-type') ?? '' } }).formData()
  } catch (cause) {
    throw new TerseError('bad_request', say('api.request.cutOff'), { cause })
  }
}

/** Of a name that is given twice the last value counts, as PHP has it. Files are left out. */
function fromPairs(pairs: Iterable<[string, unknown]>): Fields {
  const fields = new Map<string, string>()
  for (const [name, value] of pairs) if (typeof value === 'string') fields.set(name, value)
  return Object.fromEntries(fields)
}

/** A field as text: numbers are written out, and everything else is none. */
export function textOf(fields: Fields, name: string): string | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

/** A whole number between two others: the nearest of them for what lies outside, and `otherwise` for what is none. */
export function numberOf(text: string | null | undefined, least: number, most: number, otherwise: number): number {
  const value = Number.parseInt(text ?? '', 10)
  return Number.isNaN(value) ? otherwise : Math.min(Math.max(value, least), most)
}

/** A URL that somebody typed without `https://`: YOURLS and Kutt take such for `http://`. Nothing stays nothing. */
export const withScheme = (typed: string): string =>
  typed === '' || /^[a-z][a-z0-9+.-]*:/i.test(typed) ? typed : `http://${typed}`
