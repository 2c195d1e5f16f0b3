import type { Actor } from '@/lib/actor'
import type { Link } from '@/lib/db/generated/client'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { filingOf, NOT_FILED } from '@/lib/labels/filing'
import { FILING_FIELDS, type Filing } from '@/lib/labels/schemas'
import { sha256 } from '@/lib/tools/hash'
import type { LinkContext } from './context'

/** A link as someone saw it: they change this one, or none. */
export interface Expected {
  /** The header If-Match (RFC 9110, 13.1.1). */
  ifMatch: string
}

/**
 * The version of a link as an ETag: its own, and of how it is filed, which has none. Clicks are not in it.
 * @param filing nothing for those who are not shown it
 */
export function etagOf({ version }: Pick<Link, 'version'>, filing: Partial<Filing>): string {
  const filed = FILING_FIELDS.map((field) => filing[field] ?? null)
  return `"${version}-${sha256(JSON.stringify(filed)).toString('base64url').slice(0, 11)}"`
}

/**
 * Refuses a link that is not as it was seen. What is written afterwards is held to the same version by `requireVersion`, under
 * the lock of the write; how it is filed is looked at here only.
 * @throws TerseError 'precondition_failed', 'unavailable'
 */
export async function requireSeen(ctx: LinkContext, { ownerId }: Actor, link: Link, { ifMatch }: Expected): Promise<void> {
  const isOwn = ownerId !== null && link.ownerId === ownerId
  const filing = isOwn ? ((await filingOf(ctx, ownerId, [link.id])).get(link.id) ?? NOT_FILED) : {}
  const named = ifMatch.split(',').map((tag) => tag.trim())
  if (!named.includes('*') && !named.includes(etagOf(link, filing))) throw changedSince()
}

/** @throws TerseError 'precondition_failed' where someone edited the link since it was found */
export function requireVersion({ version }: Pick<Link, 'version'>, found: Pick<Link, 'version'>): void {
  if (version !== found.version) throw changedSince()
}

const changedSince = () => new TerseError('precondition_failed', say('api.link.otherVersion'))
