'use client'

import { CircleQuestionMark } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslations } from '#i18n'
import { Beside } from './beside'

/** What a number or a word means, behind a question mark: by click, tap or key. */
export function Hint({ about, children }: { about: string; children: ReactNode }) {
  const t = useTranslations('base')
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={t('explain', { term: about })}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="relative inline-flex size-5 items-center justify-center rounded-full align-[-4px] text-muted after:absolute after:-inset-3 hover:text-fg aria-expanded:text-accent sm:after:-inset-1"
      >
        <CircleQuestionMark aria-hidden="true" className="size-3.5" />
      </button>
      {open && (
        <Beside
          role="dialog"
          aria-label={about}
          tabIndex={-1}
          button={button}
          align="start"
          onOpen={(box) => box.focus()}
          onClose={() => setOpen(false)}
          // The button closes it by itself.
          onBlur={({ relatedTarget }) => relatedTarget !== button.current && setOpen(false)}
          className="max-w-[min(20rem,calc(100vw-1.5rem))] px-3.5 py-2.5 text-left text-[13px] leading-relaxed font-normal text-fg text-pretty outline-none"
        >
          {children}
        </Beside>
      )}
    </>
  )
}
