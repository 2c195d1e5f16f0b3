import type { UpdateBody } from '@/app/_ui/data/api'
import { fromLocalInput, toLocalInput } from '@/app/_ui/data/time'
import { completeAddress, textOf } from '@/lib/forms/fields'
import { isFixed } from '@/lib/links/fixed'
import type { LinkView } from '@/lib/links/schemas'
import { REDIRECT_STATUSES } from '@/lib/links/values'

/**
 * What `data`, the edit form as it was sent, changes about the link: only that goes to the server.
 * @param owned an account owns the link, and the form asks whether to list it
 */
export function changesOf(data: FormData, view: LinkView, owned: boolean): UpdateBody {
  const changes: UpdateBody = {}
  const url = completeAddress(textOf(data, 'url'))
  if (url !== view.url) changes.url = url
  const title = textOf(data, 'title').trim()
  if (title !== view.title) changes.title = title
  for (const name of ['startsAt', 'expiresAt'] as const) {
    const value = textOf(data, name)
    // Compared as shown: the input knows no seconds, and an untouched time must stay as it is.
    if (value !== toLocalInput(view[name])) changes[name] = fromLocalInput(value)
  }
  const expiredUrl = completeAddress(textOf(data, 'expiredUrl')) || null
  if (expiredUrl !== view.expiredUrl) changes.expiredUrl = expiredUrl
  const limit = textOf(data, 'maxClicks').trim()
  const maxClicks = limit === '' ? null : Number(limit)
  if (maxClicks !== view.maxClicks) changes.maxClicks = maxClicks
  const status = REDIRECT_STATUSES.find((known) => String(known) === textOf(data, 'redirectStatus'))
  if (status && status !== view.redirectStatus) changes.redirectStatus = status
  const enabled = data.has('enabled')
  if (enabled !== (view.state !== 'disabled')) changes.enabled = enabled
  if (owned && data.has('listed') !== view.listed) changes.listed = data.has('listed')
  const password = textOf(data, 'password')
  if (data.has('removePassword')) changes.password = null
  else if (password !== '') changes.password = password
  // Fields that are off send nothing, which is no change.
  for (const name of Object.keys(changes) as (keyof UpdateBody)[]) if (isFixed(view, name)) delete changes[name]
  return changes
}
