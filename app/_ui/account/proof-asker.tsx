'use client'

import { useEffect, useState } from 'react'
import { onDemand } from '@/app/_ui/base/on-demand'
import { provideAsker } from '@/app/_ui/data/proof'

const ProofDialog = onDemand(() => import('./proof-dialog').then((module) => module.ProofDialog))

/** Asks who is signed in to show that it is them, before what decides who gets into an account. Nothing until then. */
export function ProofAsker() {
  const [answer, setAnswer] = useState<((proven: boolean) => void) | null>(null)
  useEffect(() => provideAsker(() => new Promise((resolve) => setAnswer(() => resolve))), [])
  if (!answer) return null
  const close = (proven: boolean) => {
    setAnswer(null)
    answer(proven)
  }
  return <ProofDialog onProven={() => close(true)} onClose={() => close(false)} />
}
