'use client'

import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { cx } from '@/app/_ui/base/cx'
import { toast } from '@/app/_ui/base/toast'
import { claimLinks } from '@/app/_ui/data/claim'
import { useFormat } from '@/app/_ui/data/format'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { markDeclined, type RecentLink, useRecents } from '@/app/_ui/data/recents'
import type { Translator } from '@/lib/i18n/translate'

const SHOWN = 3

interface Props {
  className?: string
  /** Links have come into the account. */
  onClaimed?: () => void
}

/** Offers to take the links that were made in this browser without an account into the account. Nothing without any. */
export function ClaimCard({ className, onClaimed }: Props) {
  const t = useTranslations('claim')
  const format = useFormat()
  const links = useRecents()?.filter(isClaimable) ?? []
  const [busy, setBusy] = useState(false)
  if (links.length === 0) return null
  const claim = async () => {
    setBusy(true)
    if (await claimAndTell(links, t)) onClaimed?.()
    setBusy(false)
  }
  const named = links.slice(0, SHOWN).map(({ shortUrl }) => readableUrl(shortUrl))
  const more = links.length - named.length
  return (
    <section
      aria-label={t('label')}
      className={cx(
        'appear flex flex-wrap items-center gap-x-6 gap-y-4 rounded-card border border-line bg-surface p-5',
        className,
      )}
    >
      <div className="min-w-0 flex-1 basis-60">
        <h2 className="font-semibold">{t('title', { count: links.length })}</h2>
        <p className="mt-1 text-sm text-muted text-anywhere">
          {format.list(more > 0 ? [...named, t('more', { count: more })] : named)}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button busy={busy} onClick={() => void claim()}>
          {busy ? t('adding') : t('add')}
        </Button>
        <Button look="quiet" busy={busy} onClick={() => markDeclined(links)}>
          {t('notNow')}
        </Button>
      </div>
    </section>
  )
}

const isClaimable = ({ manageToken, lost, declined }: RecentLink) => manageToken !== null && !lost && !declined

/** @returns whether any came into the account */
export async function claimAndTell(links: readonly RecentLink[], t: Translator<'claim'>): Promise<boolean> {
  const result = await claimLinks(links)
  if (!result.ok) {
    toast(t('failed'), { description: result.failure.message })
    return false
  }
  const { claimed, refused } = result.value
  toast(t('added', { count: claimed }), refused > 0 ? { description: t('refused', { count: refused }) } : {})
  return claimed > 0
}
