/** Asks who is signed in to show once more that it is them, where the server wants to know before it does something. */

/** @returns whether it was shown; false when it was cancelled */
type Asker = () => Promise<boolean>

let asker: Asker | null = null
let asking: Promise<boolean> | null = null

/** What the server calls it. */
export const PROOF_NEEDED = 'proof_needed'

/** The dialog that asks. @returns takes it away */
export function provideAsker(ask: Asker): () => void {
  asker = ask
  return () => {
    if (asker === ask) asker = null
  }
}

/**
 * Asks, once for all that wait for it.
 * @returns `shown`: what was refused can be tried again; `unasked`: this page has nothing to ask with
 */
export async function askForProof(): Promise<'shown' | 'cancelled' | 'unasked'> {
  if (!asker) return 'unasked'
  asking ??= asker().finally(() => {
    asking = null
  })
  return (await asking) ? 'shown' : 'cancelled'
}
