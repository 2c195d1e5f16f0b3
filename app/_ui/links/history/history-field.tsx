'use client'

import { ChevronRight } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { useTranslations } from '#i18n'
import { SwitchField } from '@/app/_ui/base/switch-field'
import { SCRIPTS_ONLY } from '@/app/_ui/base/without-scripts'
import type { LinkKey } from '@/app/_ui/data/api'
import { useFormat } from '@/app/_ui/data/format'
import type { Typed } from '@/app/_ui/data/use-typed'
import type { LinkTexts } from '@/lib/forms/link'
import { isFixed } from '@/lib/links/fixed'
import type { LinkView } from '@/lib/links/schemas'

// Most who edit a link never look at it.
const HistoryList = dynamic(() => import('./history-list').then((module) => module.HistoryList))

interface Props {
  view: LinkView
  /** The link's manage token; null where the session of its owner opens it. */
  token: string | null
  typed: Typed
  texts: LinkTexts
}

/** What changed of a link, and whether visitors may know: in one line, with the list one step away. */
export function HistoryField({ view, token, typed, texts }: Props) {
  const t = useTranslations('links.history')
  const format = useFormat()
  const [open, setOpen] = useState(false)
  const { code, domain, createdAt, updatedAt } = view
  const isPublic = (typed.get('publicHistory') ?? texts.publicHistory) === 'on'
  const isEdited = Date.parse(updatedAt) > Date.parse(createdAt)
  const key: LinkKey = { code, domain, manageToken: token }
  const last = isEdited ? t('last', { day: format.day(updatedAt) }) : t('never')
  return (
    <details
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className={`group/history rounded-control border border-line ${SCRIPTS_ONLY}`}
    >
      <summary className="flex min-h-11 list-none items-center gap-2 rounded-control px-3 text-sm hover:bg-bg [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden="true"
          className="size-4 shrink-0 text-muted transition-transform group-open/history:rotate-90"
        />
        <span className="shrink-0 font-medium">{t('label')}</span>
        <span className="ml-auto min-w-0 truncate pl-3 text-muted">{isPublic ? last : `${last} · ${t('private')}`}</span>
      </summary>
      <div className="grid gap-5 border-t border-line p-3">
        <fieldset disabled={isFixed(view, 'publicHistory')}>
          <legend className="sr-only">{t('visitors')}</legend>
          <SwitchField name="publicHistory" label={t('public')} hint={t('publicHint')} on={texts.publicHistory === 'on'} />
        </fieldset>
        {open && <HistoryList link={key} createdAt={createdAt} />}
      </div>
    </details>
  )
}
