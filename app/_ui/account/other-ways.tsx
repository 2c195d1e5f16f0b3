'use client'

import { KeyRound, LogIn } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { FailureMessage } from '@/app/_ui/base/failure'
import { SCRIPTS_ONLY } from '@/app/_ui/base/without-scripts'
import { offerPasskeys, signInByPasskey, signInByProvider } from '@/app/_ui/data/auth-client'
import { usePasskeys, useWays } from './use-ways'

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
  const t = useTranslations('account')
  const { busy, failure, setFailure, choose } = useWays()
  const passkeys = usePasskeys() && passkey
  useOfferedPasskeys(passkeys, next, setFailure)
  if (oidc === null && !passkey) return null
  return (
    <div className={`mt-6 space-y-3 ${SCRIPTS_ONLY}`}>
      <p className="flex items-center gap-3 text-[13px] text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t('or')}
      </p>
      {oidc !== null && (
        <Button className="w-full" busy={busy} onClick={() => choose(signInByProvider(next, invitation))}>
          <LogIn aria-hidden="true" className="size-[18px]" />
          {t('provider', { provider: oidc })}
        </Button>
      )}
      {passkey && (
        <Button
          className="w-full"
          disabled={busy || !passkeys}
          onClick={() => choose(signInByPasskey(), () => location.assign(next))}
        >
          <KeyRound aria-hidden="true" className="size-[18px]" />
          {t('signIn.passkey')}
        </Button>
      )}
      {failure && <FailureMessage>{failure}</FailureMessage>}
    </div>
  )
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
