/** A number in the groups in which people read numbers aloud: 48 21, 482 13, 482 133. */
export function groupsOf(digits: string): string[] {
  const first = Math.ceil(digits.length / 2)
  return [digits.slice(0, first), digits.slice(first)]
}
