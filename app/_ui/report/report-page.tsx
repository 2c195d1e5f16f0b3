'use client'

import { useState } from 'react'
import { ReportForm } from './report-form'
import { ReportReceipt } from './report-receipt'

/** Lets anyone report a link. @param link what to begin with; '' for nothing */
export function ReportPage({ link }: { link: string }) {
  const [reference, setReference] = useState<string | null>(null)
  return reference === null ? (
    <ReportForm link={link} onSent={setReference} />
  ) : (
    <ReportReceipt reference={reference} onAgain={() => setReference(null)} />
  )
}
