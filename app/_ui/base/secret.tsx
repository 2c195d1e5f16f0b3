import { useEffect, useRef } from 'react'
import { useTranslations } from '#i18n'
import { Button } from './button'
import { CopyButton } from './copy-button'
import { StickyActions } from './sticky-actions'

interface Props {
  text: string
  /** What it is called where the button is read out. */
  name: string
}

/** Something that is shown this once, with the cursor on the button that copies it. */
export function Secret({ text, name }: Props) {
  const copy = useRef<HTMLButtonElement>(null)
  useEffect(() => copy.current?.focus(), [])
  return (
    <div className="flex flex-col gap-3 rounded-control border border-line bg-bg p-3 sm:flex-row sm:items-center">
      <code className="min-w-0 flex-1 font-mono text-[13px] text-anywhere">{text}</code>
      <CopyButton ref={copy} text={text} name={name} />
    </div>
  )
}

/**
 * All of a dialog that shows it: only its button closes that. The dialog stays the one that was open, or the cursor would be
 * lost.
 */
export function ShownOnce({ onClose, ...secret }: Props & { onClose: () => void }) {
  return (
    <>
      <Secret {...secret} />
      <Saved onClose={onClose} />
    </>
  )
}

export function Saved({ onClose }: { onClose: () => void }) {
  const t = useTranslations('base.action')
  return (
    <div className="pt-6">
      <StickyActions>
        <Button className="ml-auto" onClick={onClose}>
          {t('saved')}
        </Button>
      </StickyActions>
    </div>
  )
}
