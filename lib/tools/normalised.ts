/** UTF-16 units of the longest name, code or password, however its letters are written: six for one of a code are the most. */
const MOST = 1_000

/**
 * `text` in a normal form of Unicode; as it is where it is longer than `most` UTF-16 units. Marks that follow one another are
 * sorted one by one (UAX #15), which takes the square of their number: half a second for as many as a request has room for.
 * Nothing else may call `normalize` (lib/layout.test.ts).
 */
export function normalised(form: 'NFC' | 'NFKC' | 'NFKD', text: string, most = MOST): string {
  return text.length > most ? text : text.normalize(form)
}
