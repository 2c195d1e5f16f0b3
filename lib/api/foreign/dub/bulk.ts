import type { Link } from '@/lib/db/generated/client'
import { invalidField, isTerseError } from '@/lib/errors'
import { localeOf } from '@/lib/i18n/languages'
import { say } from '@/lib/i18n/message'
import { writer } from '@/lib/i18n/translate'
import { deleteLink } from '@/lib/links/delete'
import { findManaged } from '@/lib/links/find'
import { limitKey } from '@/lib/net/address'
import type { ForeignCall } from '../dialect'
import type { Fields } from '../fields'
import { addressById, createOne, editOne } from './links'
import { listIn } from './names'
import { codeOf, messageOf } from './problem'
import { linkViews } from './view'

/** Links of one request. */
const MOST = 100

/** @throws TerseError 'validation_failed' for none and for too many */
function requireFew(list: readonly unknown[], path: string): void {
  if (list.length === 0) throw invalidField(path, say('forms.selectLink'))
  if (list.length > MOST) throw invalidField(path, say('forms.selectFewer', { most: MOST }))
}

/** Of each one the link, or why there is none: they stand for themselves. Each counts towards the limit of creating links. */
export async function createMany(call: ForeignCall) {
  const { items } = call.fields
  const list: readonly unknown[] = Array.isArray(items) ? items : []
  requireFew(list, 'links')
  const write = writer(localeOf(call.request.headers))
  const answers: ({ link: unknown; error: string; code: string } | null)[] = []
  const made: Link[] = []
  for (const [i, item] of list.entries()) {
    try {
      // The request itself counted for the first.
      if (i > 0) await call.requireChange()
      const fields = (typeof item === 'object' && item !== null ? item : {}) as Fields
      made.push(await createOne(call, fields))
      answers.push(null)
    } catch (error) {
      if (!isTerseError(error) || error.code === 'unavailable') throw error
      answers.push({ link: item, error: messageOf({ error, write }), code: codeOf(error).code })
    }
  }
  const views = await linkViews(call, made)
  return answers.map((refusal) => refusal ?? views.shift())
}

/** The addresses of these links, each of which the caller may edit. @throws TerseError 'not_found' for one that there is not */
async function addressesOf(call: ForeignCall, ids: readonly string[]) {
  const addresses = []
  for (const [i, id] of ids.entries()) {
    if (i > 0) await call.ctx.limits.consume('api', limitKey(call.address))
    const address = await addressById(call, id)
    await findManaged(call.ctx, call.actor, address, 'write')
    addresses.push(address)
  }
  return addresses
}

/** The same change to all of these links. None is changed if there is one among them that there is not. */
export async function editMany(call: ForeignCall) {
  const { linkIds, externalIds, data } = call.fields
  if (listIn(externalIds)?.length) throw invalidField('externalIds', say('api.request.notHere'))
  const ids = listIn(linkIds) ?? []
  requireFew(ids, 'linkIds')
  const { key: _, domain: __, prefix: ___, ...changes } = (typeof data === 'object' && data !== null ? data : {}) as Fields
  const edited = []
  for (const address of await addressesOf(call, ids)) edited.push(await editOne(call, address, changes))
  return linkViews(call, edited)
}

/** Links that there are not are gone already. */
export async function removeMany(call: ForeignCall) {
  const { ctx, actor, query } = call
  const ids = [...new Set(query.getAll('linkIds').flatMap((value) => listIn(value) ?? []))]
  requireFew(ids, 'linkIds')
  let deletedCount = 0
  for (const [i, id] of ids.entries()) {
    if (i > 0) await ctx.limits.consume('api', limitKey(call.address))
    try {
      await deleteLink(ctx, actor, await addressById(call, id))
      deletedCount++
    } catch (error) {
      if (!isTerseError(error) || (error.code !== 'not_found' && error.code !== 'gone')) throw error
    }
  }
  return { deletedCount }
}
