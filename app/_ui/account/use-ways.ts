import { useState } from 'react'
import { useInBrowser } from '@/app/_ui/base/use-in-browser'
import type { Result } from '@/app/_ui/data/http'

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
