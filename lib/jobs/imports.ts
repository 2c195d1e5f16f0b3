import type { JobKindName, JobView } from './schemas'

/** Kinds that an import consists of, from its check to its being undone. */
const OF_IMPORTS: readonly string[] = ['import', 'undo', 'verify'] satisfies JobKindName[]
/** Imports that are over, of which the latest are shown. */
const LATEST = 3
/** All that are shown at most. */
const MOST_IMPORTS = 8

/**
 * Of an account's jobs, the newest first, the imports that someone may want to go on with: all that are unfinished, and the
 * latest.
 */
export function importsAmong(jobs: readonly JobView[]): JobView[] {
  const imports = jobs.filter(({ kind, dryRun, state }) => OF_IMPORTS.includes(kind) && !(dryRun && state === 'cancelled'))
  const unfinished = imports.filter(({ finishedAt }) => finishedAt === null)
  const over = imports.filter(({ finishedAt }) => finishedAt !== null)
  return [...unfinished, ...over.slice(0, LATEST)].slice(0, MOST_IMPORTS)
}
