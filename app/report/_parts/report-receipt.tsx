'use client'

import { useEffect, useRef } from 'react'
import { useTranslations } from '#i18n'
import { CopyButton } from '@/app/_ui/base/copy-button'
import { ButtonOrLink } from '@/app/_ui/base/without-scripts'

interface Props {
  reference: string
  onAgain: () => void
}

/** Says that a report has arrived, and what to call it. */
export function ReportReceipt({ reference, onAgain }: Props) {
  const t = useTranslations('report.receipt')
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <section aria-labelledby="receipt-title" className="appear rounded-card border border-line bg-surface p-5 text-center sm:p-8">
      <h1 id="receipt-title" ref={title} tabIndex={-1} className="text-2xl font-semibold tracking-tight">
        {t('title')}
      </h1>
      <p className="mt-6 text-sm text-muted">{t('reference')}</p>
      <p className="mt-1 font-mono text-3xl font-semibold tracking-wider tabular-nums sm:text-5xl">{reference}</p>
      <p className="mx-auto mt-4 max-w-sm text-sm text-muted text-pretty">{t('hint')}</p>
      <div className="mt-6 flex flex-col justify-center gap-3 sm:flex-row">
        <CopyButton text={reference} name={t('copy')} />
        <ButtonOrLink href="/report" onClick={onAgain}>
          {t('another')}
        </ButtonOrLink>
      </div>
    </section>
  )
}
