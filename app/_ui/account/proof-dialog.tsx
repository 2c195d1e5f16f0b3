'use client'

import { KeyRound, LogIn } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '@/app/_ui/base/button'
import { Dialog } from '@/app/_ui/base/dialog'
import { FailureMessage } from '@/app/_ui/base/failure'
import { proveByPassword, waysToProve } from '@/app/_ui/data/account'
import { signInByPasskey, signInByProvider } from '@/app/_ui/data/auth-client'
import { provideAsker } from '@/app/_ui/data/proof'
import { useServerData } from '@/app/_ui/data/server-data'
import type { ProofWays } from '@/lib/accounts/schemas'
import { textLinkClass } from './narrow-page'
import { usePasskeys, useWays } from './other-ways'
import { PasswordForm } from './password-form'

/** Asks for the password, or another way to sign in, before what decides who gets into an account. Closed until then. */
export function ProofDialog() {
  const [answer, setAnswer] = useState<((proven: boolean) => void) | null>(null)
  useEffect(() => provideAsker(() => new Promise((resolve) => setAnswer(() => resolve))), [])
  if (!answer) return null
  const close = (proven: boolean) => {
    setAnswer(null)
    answer(proven)
  }
  return (
    <Dialog
      title="Confirm that it is you"
      description="For your safety, confirm that it is you to go on."
      onClose={() => close(false)}
    >
      <Ways onProven={() => close(true)} onClose={() => close(false)} />
    </Dialog>
  )
}

function Ways({ onProven, onClose }: { onProven: () => void; onClose: () => void }) {
  const { value: ways, failure } = useServerData(['proof'], waysToProve)
  if (failure) return <FailureMessage>{failure.message}</FailureMessage>
  if (!ways) return <div className="skeleton h-24" />
  return (
    <>
      {ways.password && <PasswordForm action="Confirm" send={proveByPassword} onDone={onProven} onClose={onClose} />}
      {ways.password && (
        <p className="mt-4 text-sm">
          <a href="/reset" className={textLinkClass}>
            Forgot your password? Set a new one
          </a>
        </p>
      )}
      <OtherWays ways={ways} onProven={onProven} />
    </>
  )
}

function OtherWays({ ways, onProven }: { ways: ProofWays; onProven: () => void }) {
  const { busy, failure, choose } = useWays()
  const passkey = usePasskeys() && ways.passkey
  const first = useRef<HTMLDivElement>(null)
  // Rather than on the button that closes the dialog. A field for the password takes the cursor itself.
  useEffect(() => {
    if (!ways.password) first.current?.querySelector('button')?.focus()
  }, [ways.password])
  const { provider } = ways
  if (!ways.password && !passkey && provider === null) {
    return <p className="text-[15px] text-muted">Sign out, sign in again, and come back to this page.</p>
  }
  const here = () => location.pathname + location.search
  return (
    <div ref={first} className="mt-4 space-y-3 empty:hidden">
      {passkey && (
        <Button className="w-full" busy={busy} onClick={() => choose(signInByPasskey(), onProven)}>
          <KeyRound aria-hidden="true" className="size-[18px]" />
          Use a passkey
        </Button>
      )}
      {provider !== null && (
        <Button className="w-full" busy={busy} onClick={() => choose(signInByProvider(here(), null))}>
          <LogIn aria-hidden="true" className="size-[18px]" />
          Continue with {provider}
        </Button>
      )}
      {failure && <FailureMessage>{failure}</FailureMessage>}
    </div>
  )
}
