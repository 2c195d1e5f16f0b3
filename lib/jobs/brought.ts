import type { JobView } from './schemas'

type Counts = JobView['counts']

/** Links that an import created or completed, or would: what can be started, and undone. */
export const broughtBy = ({ created = 0, completed = 0 }: Counts): number => created + completed

/** Rows of an import that may have a short link at the old service, to compare. */
export const comparableOf = ({ exists = 0, taken = 0, refused = 0, ...counts }: Counts): number =>
  broughtBy(counts) + exists + taken + refused
