import type { Failure } from '@/lib/forms/failure'

/** Why the server did not do it, in its own words where it has some: those for links fit little here. */
export const reasonOf = ({ said, message }: Failure) => said ?? message

/** The same for a form. */
export const withReason = (failure: Failure): Failure => ({ ...failure, message: reasonOf(failure) })
