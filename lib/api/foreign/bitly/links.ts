import type { Link } from '@/lib/db/generated/client'
import { invalidField, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { deleteLink } from '@/lib/links/delete'
import { findManaged, type LinkAddress } from '@/lib/links/find'
import { CreateLink, UpdateLink } from '@/lib/links/schemas'
import { updateLink } from '@/lib/links/update'
import { hostOf } from '@/lib/links/view'
import { validate } from '@/lib/tools/validate'
import { json } from '../../problem'
import type { ForeignCall } from '../dialect'
import { type Fields, textOf } from '../fields'
import { addressTyped, createdLink, type FiledLink, filedOne } from '../links'
import { bitlinkView, idOf, timeText } from './view'

/** Its clients name these, if they are told nothing else: here they stand for the default domain. */
const THEIRS = ['bit.ly', 'j.mp', 'bitly.com']
const THEIR_HOST = /^(?:https?:\/\/)?(?:bit\.ly|j\.mp|bitly\.com)\//i

/** The domain that was asked for; none for the default one. */
function domainIn(ctx: ForeignCall['ctx'], name: string | undefined): string | undefined {
  return name === undefined || (THEIRS.includes(name.toLowerCase()) && !ctx.domains.find(name)) ? undefined : name
}

/** The address of the link that was named by its domain and code. @throws TerseError 'not_found' for what is none of ours */
export function addressNamed(ctx: ForeignCall['ctx'], name: string): LinkAddress {
  const address = addressTyped(ctx, name) ?? addressTyped(ctx, name.replace(THEIR_HOST, ''))
  if (!address) throw new TerseError('not_found', say('api.link.notYours'))
  return address
}

export const findNamed = ({ ctx, actor }: ForeignCall, name: string, access: 'read' | 'write'): Promise<Link> =>
  findManaged(ctx, actor, addressNamed(ctx, name), access)

export const findAsked = (call: ForeignCall, access: 'read' | 'write') => findNamed(call, call.params.bitlink ?? '', access)

/** A time may come as seconds since 1970 too; what is none is told by our schema. */
function timeIn(value: unknown): unknown {
  if (value === '' || value === null) return null
  const at = new Date(typeof value === 'number' ? value * 1000 : typeof value === 'string' ? value : Number.NaN)
  return Number.isNaN(at.getTime()) ? value : at.toISOString()
}

/** What was sent, by our names. @throws TerseError 'validation_failed' for deep links, which are not here */
function fieldsIn(fields: Fields) {
  const { deeplinks, title } = fields
  if (Array.isArray(deeplinks) && deeplinks.length > 0) throw invalidField('deeplinks', say('api.request.notHere'))
  const has = (name: string) => fields[name] !== undefined
  return {
    ...(has('long_url') && { url: fields.long_url }),
    ...(has('title') && { title: typeof title === 'string' ? title.slice(0, 255) : '' }),
    ...(has('tags') && { tags: fields.tags ?? [] }),
    ...(has('archived') && { archived: fields.archived }),
    ...(has('expiration_at') && { expiresAt: timeIn(fields.expiration_at) }),
  }
}

async function created(call: ForeignCall, input: Record<string, unknown>): Promise<Response> {
  const domain = domainIn(call.ctx, textOf(call.fields, 'domain') || undefined)
  const { link, isNew } = await createdLink(call, validate(CreateLink, { ...input, ...(domain !== undefined && { domain }) }))
  return json(isNew ? 201 : 200, bitlinkView(call, link))
}

/** A plain link, or the one that there is already. */
export const shorten = (call: ForeignCall) => created(call, { url: call.fields.long_url ?? '', reuse: true })

export function create(call: ForeignCall) {
  const { fields } = call
  const code = textOf(fields, 'keyword')
  return created(call, { url: '', ...fieldsIn(fields), ...(code ? { code } : { reuse: fields.force_new_link !== true }) })
}

/** The name of the link in a body. @throws TerseError 'validation_failed' */
function bitlinkIn({ fields }: ForeignCall): string {
  const name = textOf(fields, 'bitlink_id')
  if (!name) throw invalidField('bitlink_id', say('forms.url'))
  return name
}

export async function expand(call: ForeignCall) {
  const { created_at, link, id, long_url } = bitlinkView(
    call,
    await filedOne(call, await findNamed(call, bitlinkIn(call), 'read')),
  )
  return { created_at, link, id, long_url }
}

export async function read(call: ForeignCall) {
  return bitlinkView(call, await filedOne(call, await findAsked(call, 'read')))
}

export async function edit(call: ForeignCall) {
  const { ctx, actor, params } = call
  const link = await findAsked(call, 'write')
  const changed = fieldsIn(call.fields)
  if (Object.keys(changed).length === 0) return bitlinkView(call, await filedOne(call, link))
  const edited = await updateLink(ctx, actor, addressNamed(ctx, params.bitlink ?? ''), validate(UpdateLink, changed))
  return bitlinkView(call, await filedOne(call, edited))
}

export async function remove(call: ForeignCall) {
  const { ctx, actor, params } = call
  const address = addressNamed(ctx, params.bitlink ?? '')
  const id = idOf(await findManaged(ctx, actor, address, 'write'))
  await deleteLink(ctx, actor, address)
  return { links_deleted: [{ id }] }
}

/** Another link to the same destination, by a code that was chosen: here each is counted by itself. */
export async function addCustom(call: ForeignCall) {
  const { ctx, fields } = call
  const link = await filedOne(call, await findNamed(call, bitlinkIn(call), 'read'))
  const custom = textOf(fields, 'custom_bitlink') ?? ''
  const named = custom.includes('/') ? addressTyped(ctx, custom) : null
  const code = named?.code ?? custom.replace(THEIR_HOST, '')
  const domain = named?.domain ?? hostOf(link.fullShortUrl)
  const { url, title, filing } = link
  const made = await createdLink(call, validate(CreateLink, { url, title, tags: filing.tags, code, domain }))
  return { custom_bitlink: shown(made.link, call), bitlink: bitlinkView(call, link) }
}

const shown = (link: FiledLink, call: ForeignCall) => bitlinkView(call, link).link

/** A custom link and where it leads: here, to one destination since it was created. */
export async function readCustom(call: ForeignCall) {
  const link = await filedOne(call, await findNamed(call, call.params.custom ?? '', 'read'))
  const { id, references, ...bitlink } = bitlinkView(call, link)
  const history = [{ bitlink_id: id, keyword: link.code, created: timeText(link.createdAt), is_active: true }]
  return { custom_bitlink: bitlink.link, bitlink: { id, references, ...bitlink }, bitlink_history: history }
}
