'use client'

import { Search } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent, useState, useTransition } from 'react'
import { useTranslations } from '#i18n'
import type { AppPage } from '@/app/_server/pages'
import { buttonClass } from '@/app/_ui/base/button'
import { followKeys, isModK, MOD, useKeys } from '@/app/_ui/base/keys'
import { onDemand } from '@/app/_ui/base/on-demand'
import { holdTyping, isTypingHeld, releaseTyping } from '@/app/_ui/base/type-ahead'
import { SCRIPTS_ONLY } from '@/app/_ui/base/without-scripts'
import { useInBrowser } from '@/app/_ui/data/use-in-browser'

const Palette = onDemand(() => import('./palette').then((module) => module.Palette))
const KeysDialog = onDemand(() => import('./keys-dialog').then((module) => module.KeysDialog))

interface Props {
  /** Where the palette goes. */
  pages: readonly AppPage[]
  /** Whether single keys work, as the account says; null: it says nothing. */
  singleKeys: boolean | null
}

/** What works by keyboard on every page of who is signed in, and the button to it. A page that does a key's work itself does. */
export function Commands({ pages, singleKeys }: Props) {
  const t = useTranslations('commands')
  const router = useRouter()
  const ready = useInBrowser()
  const [isGoing, go] = useTransition()
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null)
  const openPalette = () => setOpen('palette')
  const close = () => setOpen(null)
  useKeys({
    c: () => {
      holdTyping()
      go(() => router.push('/dashboard?create'))
    },
    '/': () => toSearch() || openPalette(),
    '?': () => setOpen('keys'),
  })
  useEffect(() => {
    // One went elsewhere before the form had come.
    if (!isGoing && location.pathname !== '/dashboard') releaseTyping()
  }, [isGoing])
  const press = useEffectEvent((event: KeyboardEvent) => {
    // Over another dialog, or one that is about to open, it would be lost what that one is about.
    if (!isModK(event) || (open !== 'palette' && (isTypingHeld() || document.querySelector('[role=dialog]')))) return
    event.preventDefault()
    if (open === 'palette') close()
    else openPalette()
  })
  useEffect(() => {
    if (!followKeys(singleKeys)) return
    void import('@/app/_ui/data/account').then(({ updatePreferences }) => updatePreferences({ singleKeys: false }))
  }, [singleKeys])
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
  return (
    <>
      <button
        type="button"
        aria-label={t('open')}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        title={t('open')}
        disabled={!ready}
        onClick={openPalette}
        className={buttonClass('quiet', `shrink-0 px-3 disabled:opacity-100! ${SCRIPTS_ONLY}`)}
      >
        <Search aria-hidden="true" className="size-[18px]" />
        <kbd className="hidden w-9 text-left font-sans text-[13px] text-muted lg:inline">{ready && `${MOD} K`}</kbd>
      </button>
      {open === 'palette' && <Palette pages={pages} onClose={close} />}
      {open === 'keys' && <KeysDialog onClose={close} />}
    </>
  )
}

/** To the search of the page. @returns whether it has one */
function toSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]')
  field?.focus()
  field?.select()
  return field !== null
}
