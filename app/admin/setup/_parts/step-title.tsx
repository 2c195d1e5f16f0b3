'use client'

import { type ReactNode, useEffect, useRef } from 'react'

/** Where the links to a step lead: the cursor goes there as well, which browsers do by themselves only without scripts. */
export function StepTitle({ id, children }: { id: string; children: ReactNode }) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (location.hash === `#${id}`) title.current?.focus()
  }, [id])
  return (
    <h2 ref={title} id={id} tabIndex={-1} className="mb-3 text-lg font-semibold tracking-tight">
      {children}
    </h2>
  )
}
