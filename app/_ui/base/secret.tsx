import { useEffect, useRef } from 'react'
import { CopyButton } from './copy-button'

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
