/** Asks who is signed in to show once more that it is them, where the server wants to know before it does something. */

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
 * @returns whether it was shown, so that what was refused can be tried again
 */
export function askForProof(): Promise<boolean> {
  if (!asker) return Promise.resolve(false)
  asking ??= asker().finally(() => {
    asking = null
  })
  return asking
}
