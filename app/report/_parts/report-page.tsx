'use client'

import { useState } from 'react'
import { resultOf, type SentForm, sentOf } from '@/lib/forms/sent'
import { ReportForm } from './report-form'
import { ReportReceipt } from './report-receipt'

/** Lets anyone report a link. @param link what to begin with; '' for nothing */
export function ReportPage({ link, sent }: { link: string; sent: SentForm | null }) {
  const [reference, setReference] = useState(resultOf(sent, 'report')?.reference ?? null)
  return reference === null ? (
    <ReportForm link={link} sent={sentOf(sent, 'report')} onSent={setReference} />
  ) : (
    <ReportReceipt reference={reference} onAgain={() => setReference(null)} />
  )
}
