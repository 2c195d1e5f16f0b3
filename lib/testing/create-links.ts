import type { Actor } from '@/lib/actor'
import { isTerseError } from '@/lib/errors'
import type { LinkContext } from '@/lib/links/context'
import type { New } from '@/lib/links/create'
import { insertMany, prepareMany } from '@/lib/links/create-many'
import type { CreateLinkData } from '@/lib/links/schemas'

/** Creates many links in the way of an import, in the order given. @throws as `createLink`; what was created before stays */
export async function createLinks(ctx: LinkContext, actor: Actor, inputs: readonly CreateLinkData[]): Promise<New[]> {
  const all: New[] = []
  while (all.length < inputs.length) {
    const rows = await prepareMany(ctx, actor, inputs.slice(all.length))
    for (const created of await insertMany(ctx, rows)) {
      if (isTerseError(created)) throw created
      if (created.isNew) all.push(created)
    }
  }
  return all
}
