'use client'

import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useKeys } from '@/app/_ui/base/keys'

const KeysDialog = dynamic(() => import('./keys-dialog').then((module) => module.KeysDialog))

/** What works by keyboard on every page of who is signed in. A page that does a key's work itself goes first. */
export function Commands() {
  const router = useRouter()
  const [open, setOpen] = useState<'keys' | null>(null)
  useKeys({
    c: () => router.push('/dashboard?create'),
    '/': toSearch,
    '?': () => setOpen('keys'),
  })
  return open === 'keys' && <KeysDialog onClose={() => setOpen(null)} />
}

/** To the search of the page. */
function toSearch() {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]')
  field?.focus()
  field?.select()
}
