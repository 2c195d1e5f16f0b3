'use client'

import { Check, Copy } from 'lucide-react'
import { type Ref, useEffect, useState } from 'react'
import { useTranslations } from '#i18n'
import { copyText } from '@/app/_ui/data/browser'
import { buttonClass, IconButton } from './button'
import { toast } from './toast'
import { SCRIPTS_ONLY } from './without-scripts'

const SHOWN_MS = 2000

/** Copies, and says for a moment that it did. */
function useCopy(text: string) {
  const t = useTranslations('base.copy')
  const [copies, setCopies] = useState(0)
  useEffect(() => {
    if (copies === 0) return
    const timer = setTimeout(() => setCopies(0), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copies])
  const copy = async () => {
    if (await copyText(text)) setCopies((count) => count + 1)
    else toast(t('refused'))
  }
  return { copied: copies > 0, copy }
}

interface Props {
  /** What is copied. */
  text: string
  /** What it is called for those who only hear the button. */
  name: string
}

export function CopyButton({ text, name, ref }: Props & { ref?: Ref<HTMLButtonElement> }) {
  const t = useTranslations('base.copy')
  const { copied, copy } = useCopy(text)
  const Icon = copied ? Check : Copy
  return (
    <>
      <button
        ref={ref}
        type="button"
        aria-label={copied ? undefined : t('name', { name })}
        onClick={copy}
        className={buttonClass('primary', `min-w-28 ${SCRIPTS_ONLY}`)}
      >
        <Icon aria-hidden="true" className="size-[18px]" />
        {copied ? t('done') : t('copy')}
      </button>
      <Announcement copied={copied} />
    </>
  )
}

export function CopyIconButton({ text, name }: Props) {
  const t = useTranslations('base.copy')
  const { copied, copy } = useCopy(text)
  return (
    <>
      <IconButton
        icon={copied ? Check : Copy}
        label={t('name', { name })}
        hint={copied ? t('done') : t('copy')}
        className={SCRIPTS_ONLY}
        onClick={copy}
      />
      <Announcement copied={copied} />
    </>
  )
}

function Announcement({ copied }: { copied: boolean }) {
  const t = useTranslations('base.copy')
  return (
    <span role="status" className="sr-only">
      {copied ? t('done') : ''}
    </span>
  )
}
