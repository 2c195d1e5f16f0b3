import { ownPath } from '@/lib/accounts/next-path'
import { invalidField, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { toLine } from '@/lib/tools/line'
import { type AuthPath, isDestination, typeOfField } from './auth-paths'
import { jsonOf, readText, typeOf } from './body'
import { parametersOf } from './path'

export type Fields = Readonly<Record<string, unknown>>

/**
 * What a request under /api/auth asks for, read once, so that what is limited and checked is what better-auth acts on.
 * @returns the fields that the path takes, each of its type; where a browser is to be sent to is a page of ours
 * @throws TerseError 'unsupported_media_type', 'bad_request', 'payload_too_large', 'validation_failed'
 */
export async function readFields(request: Request, { method, takes = [] }: AuthPath): Promise<Fields> {
  const given = method === 'GET' ? parametersOf(request) : await bodyOf(request)
  const fields: Record<string, unknown> = {}
  for (const field of takes) {
    // Not by `in`: what every object has is nothing that was sent.
    const value = Object.hasOwn(given, field) ? given[field] : undefined
    if (value === undefined || value === null) continue
    fields[field] = checked(field, value)
  }
  return fields
}

function checked(field: string, value: unknown): unknown {
  if (typeof value !== typeOfField(field)) throw invalidField(field, say('api.request.type', { type: typeOfField(field) }))
  if (field === 'name') return toLine(String(value))
  if (!isDestination(field)) return value
  const path = ownPath(String(value))
  if (path === null) throw invalidField(field, say('api.request.page'))
  return path
}

async function bodyOf(request: Request): Promise<Fields> {
  const text = await readText(request)
  if (text === '') return {}
  if (typeOf(request) !== 'application/json') {
    throw new TerseError('unsupported_media_type', say('api.request.json'))
  }
  const body = jsonOf(text)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new TerseError('bad_request', say('api.request.object'))
  }
  return body as Fields
}
