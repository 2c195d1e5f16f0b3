import type { Registry } from '@/lib/codes/registry'
import type { Limits } from '@/lib/net/limits'
import type { LinkContext } from './context'

/**
 * A context in which links are drafted, and their codes found, by the very functions that create them, and nothing is written:
 * no code is claimed, so MySQL is asked about each; nothing counts against a limit; tags and folders that are missing are thought
 * of as created (`ctx.rehearsed`, ./draft.ts).
 */
export function rehearsal(ctx: LinkContext, labels: Rehearsed): LinkContext {
  const registry: Pick<Registry, 'claim'> = { claim: async (fulls) => fulls.map(() => 'unknown') }
  const limits: Pick<Limits, 'consume' | 'consumeUpTo'> = {
    consume: async () => {},
    consumeUpTo: async (_policy, _key, wanted) => wanted,
  }
  return { ...ctx, registry: registry as Registry, limits: limits as Limits, rehearsed: labels }
}

/** Tags and folders that would have been created by now, by kind and name, for each account. */
export class Rehearsed {
  private readonly names = new Map<string, Set<string>>()

  of(ownerId: string): Set<string> {
    const own = this.names.get(ownerId) ?? new Set<string>()
    this.names.set(ownerId, own)
    return own
  }
}
