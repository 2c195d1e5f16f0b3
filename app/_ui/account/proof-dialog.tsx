'use client'

import { KeyRound, LogIn } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { Dialog } from '@/app/_ui/base/dialog'
import { FailureMessage } from '@/app/_ui/base/failure'
import { proveByPassword, waysToProve } from '@/app/_ui/data/account'
import { signInByPasskey, signInByProvider } from '@/app/_ui/data/auth-client'
import { useServerData } from '@/app/_ui/data/server-data'
import type { ProofWays } from '@/lib/accounts/schemas'
import { textLinkClass } from './narrow-page'
import { PasswordForm } from './password-form'
import { usePasskeys, useWays } from './use-ways'

interface Props {
  onProven: () => void
  onClose: () => void
}

/** Asks for the password, or another way to sign in. */
export function ProofDialog({ onProven, onClose }: Props) {
  const t = useTranslations('proof')
  return (
    <Dialog title={t('title')} description={t('text')} onClose={onClose}>
      <Ways onProven={onProven} onClose={onClose} />
    </Dialog>
  )
}

function Ways({ onProven, onClose }: Props) {
  const t = useTranslations('proof')
  const { value: ways, failure } = useServerData(['proof'], waysToProve)
  if (failure) return <FailureMessage>{failure.message}</FailureMessage>
  if (!ways) return <div className="skeleton h-24" />
  return (
    <>
      {ways.password && <PasswordForm action={t('confirm')} send={proveByPassword} onDone={onProven} onClose={onClose} />}
      {ways.password && (
        <p className="mt-4 text-sm">
          <a href="/reset" className={textLinkClass}>
            {t('forgot')}
          </a>
        </p>
      )}
      <OtherWays ways={ways} onProven={onProven} />
    </>
  )
}

function OtherWays({ ways, onProven }: { ways: ProofWays; onProven: () => void }) {
  const t = useTranslations('proof')
  const { busy, failure, choose } = useWays()
  const passkey = usePasskeys() && ways.passkey
  const first = useRef<HTMLDivElement>(null)
  // Rather than on the button that closes the dialog. A field for the password takes the cursor itself.
  useEffect(() => {
    if (!ways.password) first.current?.querySelector('button')?.focus()
  }, [ways.password])
  const { provider } = ways
  if (!ways.password && !passkey && provider === null) {
    return <p className="text-[15px] text-muted">{t('none')}</p>
  }
  const here = () => location.pathname + location.search
  return (
    <div ref={first} className="mt-4 space-y-3 empty:hidden">
      {passkey && (
        <Button className="w-full" busy={busy} onClick={() => choose(signInByPasskey(), onProven)}>
          <KeyRound aria-hidden="true" className="size-[18px]" />
          {t('passkey')}
        </Button>
      )}
      {provider !== null && (
        <Button className="w-full" busy={busy} onClick={() => choose(signInByProvider(here(), null))}>
          <LogIn aria-hidden="true" className="size-[18px]" />
          {t('provider', { provider })}
        </Button>
      )}
      {failure && <FailureMessage>{failure}</FailureMessage>}
    </div>
  )
}
