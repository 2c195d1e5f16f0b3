/** Ranges of the unique index in one statement. */
const RANGES = 100

/** A condition on `fullShortUrl`, with its values. */
export interface CodeRange {
  where: string
  values: string[]
}

/**
 * Conditions that hold, between them, every code on a host that begins with four digits, as every spoken number does. Few codes
 * do: of random ones of 62 characters one in 1,500, where one in 6 begins with one digit. So to look for spoken numbers reads
 * little of the index, however many links there are.
 */
export function* spokenRanges(host: string): Generator<CodeRange, void> {
  for (let first = 0; first < 1_000; first += RANGES) {
    const prefixes = Array.from({ length: RANGES }, (_, i) => `${host}/${String(first + i).padStart(3, '0')}`)
    yield {
      where: `(${prefixes.map(() => '(fullShortUrl > ? AND fullShortUrl < ?)').join(' OR ')})`,
      // ':' comes after '9': behind the three digits comes a fourth.
      values: prefixes.flatMap((prefix) => [prefix, `${prefix}:`]),
    }
  }
}
