import { toast } from 'sonner'
import type { Result } from '@/app/_ui/data/http'
import type { Failure } from '@/lib/forms/failure'

/** Why the server did not do it, in its own words where it has some: those for links fit little here. */
export const reasonOf = ({ said, message }: Failure) => said ?? message

interface Words {
  done: string
  failed: string
  /** The way back. */
  undo?: () => void
}

/** Says how something went. @returns whether it was done */
export async function act(doing: Promise<Result<unknown>>, { done, failed, undo }: Words): Promise<boolean> {
  const result = await doing
  if (result.ok) toast(done, { ...(undo && { action: { label: 'Undo', onClick: undo } }) })
  else if (result.failure.kind !== 'cancelled') toast(failed, { description: reasonOf(result.failure) })
  return result.ok
}

interface Next {
  /** It has been done. */
  onDone?: () => void
  undo?: () => void
}

/** The same for a dialog, which says itself what went wrong. @returns that, or null */
export async function confirmed(
  doing: Promise<Result<unknown>>,
  done: string,
  { onDone, undo }: Next = {},
): Promise<string | null> {
  const result = await doing
  if (!result.ok) return reasonOf(result.failure)
  toast(done, { ...(undo && { action: { label: 'Undo', onClick: undo } }) })
  onDone?.()
  return null
}

/** The same for a form. */
export const withReason = (failure: Failure): Failure => ({ ...failure, message: reasonOf(failure) })
