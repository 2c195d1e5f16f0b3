import type { DatabaseGateway } from '@/lib/db/gateway'
import type { Preferences as Row } from '@/lib/db/generated/client'
import { invalidField } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { lookText, parseLook } from '@/lib/links/look'
import { normalised } from '@/lib/tools/normalised'
import { lockUser } from './locks'
import type { PreferencesView, SavedView, UpdatePreferences } from './schemas'

/** Views that an account can save: all of them come with its list of links. */
export const MOST_VIEWS = 50

type Context = { db: DatabaseGateway }

/** What an account chose for the app. @throws TerseError 'unavailable' */
export async function preferencesOf({ db }: Context, userId: string): Promise<PreferencesView> {
  return toView(await db.read((client) => client.preferences.findUnique({ where: { userId } })))
}

/**
 * Changes what is named, and leaves the rest: two browsers may do so at once.
 * @throws TerseError 'validation_failed' for too many views; 'not_found', 'unavailable'
 */
export function setPreferences({ db }: Context, userId: string, input: UpdatePreferences): Promise<PreferencesView> {
  return db.atomic(async (tx) => {
    await lockUser(tx, userId)
    const before = toView(await tx.preferences.findUnique({ where: { userId } }))
    const { look = before.look, singleKeys = before.singleKeys } = input
    const views = merged(before.views, input)
    const row = { look: look && lookText(look), singleKeys, views: JSON.stringify(views) }
    await tx.preferences.upsert({ where: { userId }, create: { userId, ...row }, update: row })
    return { look, singleKeys, views }
  })
}

/** A view takes the place of one of the same name, in whatever letters. */
function merged(before: readonly SavedView[], { saveViews = [], deleteViews = [] }: UpdatePreferences): SavedView[] {
  const views = new Map(before.map((view) => [folded(view.name), view]))
  for (const name of deleteViews) views.delete(folded(name))
  for (const view of saveViews) {
    views.delete(folded(view.name))
    views.set(folded(view.name), view)
  }
  if (views.size > MOST_VIEWS) throw invalidField('saveViews', say('api.account.tooManyViews', { most: MOST_VIEWS }))
  return [...views.values()]
}

const folded = (name: string) => normalised('NFC', name).toLowerCase()

function toView(row: Row | null): PreferencesView {
  if (!row) return { look: null, singleKeys: null, views: [] }
  const { layout, columns } = parseLook(row.look)
  return {
    look: row.look === null ? null : { layout, columns: [...columns] },
    singleKeys: row.singleKeys,
    views: JSON.parse(row.views) as SavedView[],
  }
}
