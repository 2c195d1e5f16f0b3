'use client'

import { KeyRound, LogIn } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '@/app/_ui/base/button'
import { FailureMessage } from '@/app/_ui/base/failure'
import { useInBrowser } from '@/app/_ui/base/use-in-browser'
import { SCRIPTS_ONLY } from '@/app/_ui/base/without-scripts'
import { offerPasskeys, signInByPasskey, signInByProvider } from '@/app/_ui/data/auth-client'
import type { Result } from '@/app/_ui/data/http'

interface Props {
  /** Where to go once signed in. */
  next: string
  /** Name of the provider; null without one. */
  oidc: string | null
  /** Token of an invitation that a new account is to be made with. */
  invitation?: string | null
  /** There may be a passkey already. */
  passkey?: boolean
}

/** To sign in without a password. */
export function OtherWays({ next, oidc, invitation = null, passkey = false }: Props) {
  const { busy, failure, setFailure, choose } = useWays()
  const passkeys = usePasskeys() && passkey
  useOfferedPasskeys(passkeys, next, setFailure)
  if (oidc === null && !passkey) return null
  return (
    <div className={`mt-6 space-y-3 ${SCRIPTS_ONLY}`}>
      <p className="flex items-center gap-3 text-[13px] text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </p>
      {oidc !== null && (
        <Button className="w-full" busy={busy} onClick={() => choose(signInByProvider(next, invitation))}>
          <LogIn aria-hidden="true" className="size-[18px]" />
          Continue with {oidc}
        </Button>
      )}
      {passkey && (
        <Button
          className="w-full"
          disabled={busy || !passkeys}
          onClick={() => choose(signInByPasskey(), () => location.assign(next))}
        >
          <KeyRound aria-hidden="true" className="size-[18px]" />
          Sign in with a passkey
        </Button>
      )}
      {failure && <FailureMessage>{failure}</FailureMessage>}
    </div>
  )
}

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

/** Lets the browser offer passkeys where it completes the login field. */
function useOfferedPasskeys(possible: boolean, next: string, onProblem: (message: string) => void): void {
  useEffect(() => {
    if (!possible) return
    let gone = false
    const offer = async () => {
      const offered = await PublicKeyCredential.isConditionalMediationAvailable?.().catch(() => false)
      if (!offered || gone) return
      const result = await offerPasskeys()
      if (gone || result === null) return
      if (result.ok) location.assign(next)
      else onProblem(result.failure.message)
    }
    void offer()
    return () => {
      gone = true
    }
  }, [possible, next, onProblem])
}
