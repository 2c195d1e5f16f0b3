import { useState } from 'react'
import type { Result } from '@/app/_ui/data/http'
import { useInBrowser } from '@/app/_ui/data/use-in-browser'

/** What becomes of the way that is chosen. */
export function useWays() {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  /** @param arrive once signed in; nothing where the provider's page is on its way */
  const choose = async (way: Promise<Result<unknown>>, arrive?: () => void) => {
    setBusy(true)
    setFailure(null)
    const result = await way
    if (result.ok) return arrive?.()
    setBusy(false)
    setFailure(result.failure.message)
  }
  return { busy, failure, setFailure, choose }
}

/** Whether this browser has passkeys, which it has only where the page came safely. */
export function usePasskeys(): boolean {
  return useInBrowser() && typeof PublicKeyCredential === 'function'
}
