import type { Actor } from '@/lib/actor'
import type { Link } from '@/lib/db/generated/client'
import { sha256 } from '@/lib/tools/hash'
import type { LinkContext } from './context'

/**
 * The newest link of an account to a destination, whatever else it is: unlike `reuse`, which gives a plain one alone.
 * @param url as `CreateLink` has it
 * @throws TerseError 'unavailable'
 */
export async function linkTo({ db }: Pick<LinkContext, 'db'>, { ownerId }: Actor, url: string): Promise<Link | null> {
  if (ownerId === null) return null
  const where = { ownerId, urlHash: sha256(url) }
  return db.read((client) => client.link.findFirst({ where, orderBy: { id: 'desc' } }))
}
