/** A text as LIKE takes it literally; Prisma's `contains` does not see to that. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
