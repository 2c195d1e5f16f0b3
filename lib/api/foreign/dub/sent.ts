import type { Link } from '@/lib/db/generated/client'
import { invalidField } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { customCard } from '@/lib/previews/values'
import { parseUrl } from '@/lib/tools/url'
import type { ForeignCall } from '../dialect'
import { type Fields, textOf } from '../fields'
import { KnownNames, listIn } from './names'
import { routingWith } from './targets'
import { routingOf, UTM } from './view'

/** What somebody may send only as nothing: it is not here, and to leave it out in silence would be to lose it. */
const NOT_HERE = [
  ...['externalId', 'tenantId', 'programId', 'partnerId', 'video', 'rewrite', 'doIndex', 'publicStats', 'webhookIds'],
] as const

const isNothing = (value: unknown) =>
  value === undefined || value === null || value === false || value === '' || (Array.isArray(value) && value.length === 0)

/** Its own domains, which its clients name if they are told nothing else: here they stand for the default one. */
const THEIRS = ['dub.sh', 'dub.link']

/** The domain that was asked for; none for the default one. */
export function domainIn({ domains }: ForeignCall['ctx'], name: string | null | undefined): string | undefined {
  return !name || (THEIRS.includes(name.toLowerCase()) && !domains.find(name)) ? undefined : name
}

/**
 * The fields of a link that were sent, by our names. What somebody left out stays out, and null empties a field.
 * @param link the one that is edited; none for a new one
 * @throws TerseError 'validation_failed', 'conflict'
 */
export async function fieldsIn(call: ForeignCall, fields: Fields, link: Link | null): Promise<Record<string, unknown>> {
  for (const name of NOT_HERE) if (!isNothing(fields[name])) throw invalidField(name, say('api.request.notHere'))
  const has = (name: string) => fields[name] !== undefined
  const url = urlIn(fields, link)
  const routing = routingWith(fields, link ? routingOf(link) : {})
  const preview = previewIn(fields, link)
  return {
    ...(url !== undefined && { url }),
    ...(has('title') && { title: typeof fields.title === 'string' ? fields.title.slice(0, 255) : '' }),
    ...(has('archived') && { archived: fields.archived }),
    ...(has('comments') && { comment: fields.comments ?? '' }),
    ...(has('expiresAt') && { expiresAt: timeIn(fields.expiresAt) }),
    ...(has('expiredUrl') && { expiredUrl: fields.expiredUrl || null }),
    ...(has('password') && { password: fields.password || null }),
    ...(routing !== undefined && { routing }),
    ...(preview !== undefined && { preview }),
    ...(await filedAs(call, fields)),
  }
}

/** A time; what is none is told by our schema. */
function timeIn(value: unknown): unknown {
  if (value === null || value === '') return null
  const at = new Date(typeof value === 'string' ? value : Number.NaN)
  return Number.isNaN(at.getTime()) ? value : at.toISOString()
}

/** The destination, with UTM parameters that were sent beside it in place of its own. */
function urlIn(fields: Fields, link: Link | null): unknown {
  const parameters = [...UTM, 'ref' as const].filter((name) => fields[name] !== undefined)
  const url = fields.url === undefined && parameters.length > 0 ? link?.url : fields.url
  const destination = parameters.length > 0 && typeof url === 'string' ? parseUrl(url) : null
  if (!destination) return url
  for (const name of parameters) {
    const value = textOf(fields, name)
    if (value) destination.searchParams.set(name, value)
    else destination.searchParams.delete(name)
  }
  return destination.href
}

/** What apps show of the link where `proxy` is true: its title, description and image, or those of the destination. */
function previewIn(fields: Fields, link: Link | null): unknown {
  const { proxy = link !== null && link.preview !== null } = fields
  const isSent = ['proxy', 'title', 'description', 'image'].some((name) => fields[name] !== undefined)
  if (!isSent || (proxy === false && (link === null || link.preview === null))) return undefined
  if (proxy !== true) return proxy === false || proxy === null ? null : proxy
  const card = customCard(link?.preview)
  const either = (name: 'title' | 'description' | 'image') => (fields[name] === undefined ? card?.[name] : fields[name])
  const title = either('title') || link?.title
  if (!title) return { source: 'destination' }
  return { source: 'custom', title, description: either('description') ?? '', image: either('image') || null }
}

/** Tags and a folder, which are named by their IDs; tags also by their names. */
async function filedAs(call: ForeignCall, fields: Fields) {
  const { tagId, tagIds, tagNames, folderId } = fields
  const isTagged = [tagId, tagIds, tagNames].some((value) => value !== undefined)
  if (!isTagged && folderId === undefined) return {}
  const names = await KnownNames.of(call)
  const byId = [...(listIn(tagIds) ?? []), ...(tagIds === undefined ? (listIn(tagId) ?? []) : [])]
  const tags = [...byId.map((id) => names.tagNamed(id, 'tagIds')), ...(listIn(tagNames) ?? [])]
  const folder = typeof folderId === 'string' && folderId !== '' ? names.folderNamed(folderId, 'folderId') : null
  return { ...(isTagged && { tags }), ...(folderId !== undefined && { folder }) }
}

/** What else is asked of a new link: its domain and code. @throws TerseError 'validation_failed' for a prefix without a code */
export function addressIn({ ctx }: Pick<ForeignCall, 'ctx'>, fields: Fields) {
  const [key, prefix, domain] = [textOf(fields, 'key'), textOf(fields, 'prefix'), domainIn(ctx, textOf(fields, 'domain'))]
  if (!key && prefix) throw invalidField('prefix', say('api.request.notHere'))
  return { ...(key && { code: key.replace(/^\/+/, '') }), ...(domain !== undefined && { domain }) }
}
