import type { Link } from '@/lib/db/generated/client'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { FREE_WHEN_SHARED } from './fixed'
import type { Maker } from './permit'
import type { UpdateLinkData } from './schemas'

/** What any change writes along. */
const BOOKKEEPING = ['updatedAt', 'version'] as const
/** Columns that are called otherwise where they are changed. */
const FIELD_NAMES: Partial<Record<keyof Link, keyof UpdateLinkData>> = {
  historyHiddenAt: 'publicHistory',
  passwordHash: 'password',
  state: 'enabled',
  urlHash: 'url',
}

/**
 * Refuses to change what others rely on. Moderators may: a link may have to go.
 * @throws TerseError 'conflict'
 */
export function requireUnshared(by: Maker, before: Link, after: Link): void {
  if (!before.shared || by.isModerator) return
  const free: readonly string[] = [...FREE_WHEN_SHARED, ...BOOKKEEPING]
  const changed = (Object.keys(after) as (keyof Link)[]).filter(
    (name) => !free.includes(name) && !isSame(before[name], after[name]),
  )
  const paths = [...new Set(changed.map((name) => FIELD_NAMES[name] ?? name))]
  if (paths.length === 0) return
  const message = say('api.link.sharedField')
  throw new TerseError('conflict', say('api.link.sharedEdit'), {
    errors: paths.map((path) => ({ path, message })),
  })
}

/** @throws TerseError 'conflict' */
export function requireDeletable(by: Maker, link: Link): void {
  if (!link.shared || by.isModerator) return
  throw new TerseError('conflict', say('api.link.sharedDelete'))
}

function isSame(one: Link[keyof Link], other: Link[keyof Link]): boolean {
  if (one instanceof Date && other instanceof Date) return one.getTime() === other.getTime()
  if (one instanceof Uint8Array && other instanceof Uint8Array) return Buffer.compare(one, other) === 0
  return one === other
}
