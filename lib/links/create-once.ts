import { isUniqueViolation } from '@/lib/db/errors'
import { isTerseError } from '@/lib/errors'
import type { LinkContext } from './context'
import type { New } from './create'
import { type Idempotency, replay } from './idempotency'
import { createdView, type Reused } from './reuse'
import type { LinkView, SharedLinkView } from './schemas'

interface Answered {
  view: LinkView | SharedLinkView
  isNew: boolean
  /** It was created by the same request before. */
  isReplayed: boolean
}

/**
 * The answer to a request for a link, which the same request gets again, however often it comes and whatever became of the link.
 * @param idempotency names the request; null: each is a new one
 * @param create writes `idempotency` down with the link
 * @throws TerseError as `replay`; what `create` throws
 */
export async function createOnce(
  ctx: LinkContext,
  idempotency: Idempotency | null,
  create: (idempotency: Idempotency | null) => Promise<New | Reused>,
): Promise<Answered> {
  const replayed = async (): Promise<Answered | null> => {
    const view = idempotency && (await replay(ctx, idempotency))
    return view && { view, isNew: true, isReplayed: true }
  }
  const before = await replayed()
  if (before) return before
  try {
    const created = await create(idempotency)
    // Not new, perhaps, because the same request came twice at once and the other was first.
    const other = created.isNew ? null : await replayed()
    return other ?? { view: createdView(created, ctx.domains), isNew: created.isNew, isReplayed: false }
  } catch (error) {
    // The same again: the other took the key, or the custom code.
    const isLost = isUniqueViolation(error) || (isTerseError(error) && error.code === 'conflict')
    const other = isLost ? await replayed() : null
    if (other) return other
    throw error
  }
}
