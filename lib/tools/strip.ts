/** A text without what it has of one character at its ends, in one pass: `/\/+$/` tries again from each slash of a long text. */
export const strip = (text: string, character: string): string => stripEnd(stripStart(text, character), character)

/** A text without what it has of one character at its beginning. */
export function stripStart(text: string, character: string): string {
  let start = 0
  while (text[start] === character) start += 1
  return text.slice(start)
}

/** A text without what it has of one character at its end. */
export function stripEnd(text: string, character: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === character) end -= 1
  return text.slice(0, end)
}
