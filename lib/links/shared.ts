import type { Link } from '@/lib/db/generated/client'
import { TerseError } from '@/lib/errors'
import type { Maker } from './permit'
import type { UpdateLinkData } from './schemas'

/**
 * What the maker of a link may still change once others were given it (docs/decisions/0007-shared-links.md). Every other field,
 * and every other column, is fixed: what is added to links later is fixed too, until it is named here.
 */
export const FREE_WHEN_SHARED = ['title'] as const satisfies readonly (keyof UpdateLinkData)[]

/** Whether this field of a link is fixed for its maker. */
export const isFixed = ({ shared }: Pick<Link, 'shared'>, field: keyof UpdateLinkData): boolean =>
  shared && !(FREE_WHEN_SHARED as readonly string[]).includes(field)

/** What any change writes along. */
const BOOKKEEPING = ['updatedAt', 'version'] as const
/** Columns that are called otherwise where they are changed. */
const FIELD_NAMES: Partial<Record<keyof Link, keyof UpdateLinkData>> = {
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
  const message = 'Others were given this link too, so this can no longer change.'
  throw new TerseError(
    'conflict',
    'Others were given this link too, so where it leads can no longer change. Create one of your own.',
    {
      errors: paths.map((path) => ({ path, message })),
    },
  )
}

/** @throws TerseError 'conflict' */
export function requireDeletable(by: Maker, link: Link): void {
  if (!link.shared || by.isModerator) return
  throw new TerseError('conflict', 'Others were given this link too, so it cannot be deleted. Report it if it has to go.')
}

function isSame(one: Link[keyof Link], other: Link[keyof Link]): boolean {
  if (one instanceof Date && other instanceof Date) return one.getTime() === other.getTime()
  if (one instanceof Uint8Array && other instanceof Uint8Array) return Buffer.compare(one, other) === 0
  return one === other
}
