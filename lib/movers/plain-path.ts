/** What makes a regular expression one for more than a single text. A bare `.` is meant as a dot. */
const PATTERN = /[\\^$*+?()[\]{}|]/

/**
 * The one path that a regular expression is for, with or without a slash at its end; null for one that is for more. `^` and `$`
 * have to be there: without, it is for all paths that have it in them.
 */
export function plainPath(expression: string): string | null {
  const inside = /^\^\/?(.*?)(?:\/\?)?\$$/.exec(expression)?.[1]
  if (inside === undefined) return null
  const path = inside.replace(/\\([^a-zA-Z0-9])/g, (_, escaped: string) => encoded(escaped))
  return PATTERN.test(path) ? null : `/${path}`
}

const encoded = (character: string) =>
  [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
