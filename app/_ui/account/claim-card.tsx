'use client'

import { useState } from 'react'
import { toast } from 'sonner'
import { Button } from '@/app/_ui/base/button'
import { cx } from '@/app/_ui/base/cx'
import { claimLinks } from '@/app/_ui/data/claim'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { keyOf, markDeclined, type RecentLink, useRecents } from '@/app/_ui/data/recents'
import { formatCount } from '@/app/_ui/data/time'

const SHOWN = 3

interface Props {
  className?: string
  /** Links have come into the account. */
  onClaimed?: () => void
}

/** Offers to take the links that were made in this browser without an account into the account. Nothing without any. */
export function ClaimCard({ className, onClaimed }: Props) {
  const links = useRecents()?.filter(isClaimable) ?? []
  const [busy, setBusy] = useState(false)
  if (links.length === 0) return null
  const claim = async () => {
    setBusy(true)
    if (await claimAndTell(links)) onClaimed?.()
    setBusy(false)
  }
  const named = links.slice(0, SHOWN)
  return (
    <section
      aria-label="Links of this browser"
      className={cx(
        'appear flex flex-wrap items-center gap-x-6 gap-y-4 rounded-card border border-line bg-surface p-5',
        className,
      )}
    >
      <div className="min-w-0 flex-1 basis-60">
        <h2 className="font-semibold">
          {formatCount(links.length, 'link', 'links')} made in this browser {links.length === 1 ? 'belongs' : 'belong'} to nobody
          yet
        </h2>
        <p className="mt-1 text-sm text-muted text-anywhere">
          {named.map((link, index) => (
            <span key={keyOf(link)}>
              {index > 0 && ', '}
              {readableUrl(link.shortUrl)}
            </span>
          ))}
          {links.length > SHOWN && ` and ${formatCount(links.length - SHOWN, 'other', 'others')}`}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button busy={busy} onClick={() => void claim()}>
          {busy ? 'Adding…' : 'Add to your account'}
        </Button>
        <Button look="quiet" busy={busy} onClick={() => markDeclined(links)}>
          Not now
        </Button>
      </div>
    </section>
  )
}

const isClaimable = ({ manageToken, lost, declined }: RecentLink) => manageToken !== null && !lost && !declined

/** @returns whether any came into the account */
export async function claimAndTell(links: readonly RecentLink[]): Promise<boolean> {
  const result = await claimLinks(links)
  if (!result.ok) {
    toast('Your links were not added', { description: result.failure.message })
    return false
  }
  const { claimed, refused } = result.value
  const told = `${formatCount(claimed, 'link', 'links')} added to your account`
  const more = refused > 0 && `${formatCount(refused, 'link', 'links')} could not be: others have the key too, or it is gone.`
  toast(told, more ? { description: more } : {})
  return claimed > 0
}
