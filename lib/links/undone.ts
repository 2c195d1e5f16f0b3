import type { Link } from '@/lib/db/generated/client'
import { say } from '@/lib/i18n/message'
import type { RowOutcome } from '@/lib/jobs/row-outcome'

/** What an import says of a link that it created or completed. */
export interface CreatedItem {
  position: number
  target: string
  linkId: bigint | null
  version: bigint | null
  result: string
}

/** Why a link is left as it is; null: it is as the import left it. */
export function keptAs(
  { target, version }: CreatedItem,
  link: Link | undefined,
  owners: ReadonlySet<string | null>,
): RowOutcome | null {
  if (!link || !owners.has(link.ownerId)) return { target, outcome: 'skipped', result: 'gone', message: say('api.undo.gone') }
  if (link.version !== version) return { target, outcome: 'skipped', result: 'changed', message: say('api.undo.changed') }
  return null
}
