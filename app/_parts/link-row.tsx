'use client'

import { ChartColumn, Pencil, QrCode, Trash2 } from 'lucide-react'
import Link from 'next/link'
import { useState } from 'react'
import { toast } from 'sonner'
import { Button, IconButton, IconLink } from '@/app/_ui/base/button'
import { CopyIconButton } from '@/app/_ui/base/copy-button'
import { ShortLink } from '@/app/_ui/base/short-link'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { forgetLink, type RecentLink } from '@/app/_ui/data/recents'
import { formatCount, formatDay, formatTime } from '@/app/_ui/data/time'
import { Badges } from '@/app/_ui/links/badges'
import { statsPath } from '@/app/_ui/links/stats-path'
import { deleteWithUndo } from './use-delete'

interface Props {
  link: RecentLink
  onQr: () => void
  onEdit: () => void
  /** The row has left the list. */
  onRemoved: () => void
}

export function LinkRow({ link, onQr, onEdit, onRemoved }: Props) {
  const [busy, setBusy] = useState(false)
  const name = readableUrl(link.shortUrl)
  const remove = async () => {
    setBusy(true)
    if (await deleteWithUndo(link)) onRemoved()
    else setBusy(false)
  }
  const forget = () => {
    forgetLink(link)
    onRemoved()
  }
  return (
    <li className="flex flex-col gap-1 px-4 py-4 sm:flex-row sm:items-center sm:gap-4 sm:px-5" aria-busy={busy}>
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <ShortLink href={link.shortUrl} className="font-medium">
            {name}
          </ShortLink>
          <Badges link={link} />
        </div>
        <p className="mt-0.5 truncate text-sm" title={link.url}>
          {link.title && <span className="font-medium">{link.title} · </span>}
          <span className="text-muted">{readableUrl(link.url)}</span>
        </p>
        <p className="mt-0.5 text-[13px] text-muted">{link.lost ? lostText(link) : <Facts link={link} />}</p>
      </div>
      {link.lost ? (
        <Button className="mt-2 self-start sm:mt-0 sm:self-center" onClick={forget}>
          Remove from this list<span className="sr-only">: {name}</span>
        </Button>
      ) : (
        <div className="-mb-2 -ml-3 flex shrink-0 sm:mb-0 sm:-mr-2 sm:ml-0">
          <CopyIconButton text={link.shortUrl} name={name} />
          <IconButton icon={QrCode} label={`QR code of ${name}`} hint="QR code" onClick={onQr} />
          <IconLink icon={ChartColumn} label={`Statistics of ${name}`} hint="Statistics" href={statsPath(link)} />
          <IconButton icon={Pencil} label={`Edit ${name}`} hint="Edit" onClick={onEdit} />
          {link.shared ? (
            <IconButton
              icon={Trash2}
              label={`Delete ${name}: ${NOT_DELETED}`}
              hint={NOT_DELETED}
              aria-disabled
              onClick={() => toast(NOT_DELETED)}
            />
          ) : (
            <IconButton icon={Trash2} label={`Delete ${name}`} hint="Delete" onClick={remove} disabled={busy} />
          )}
        </div>
      )}
    </li>
  )
}

const NOT_DELETED = 'Others were given this link too, so it cannot be deleted.'

function lostText({ lost, manageToken }: RecentLink): string {
  if (lost === 'gone') return 'The server no longer has this link.'
  return manageToken === null
    ? 'It belongs to an account. Sign in with that to change it.'
    : 'The key kept here no longer opens this link.'
}

function Facts({ link }: { link: RecentLink }) {
  const times = [
    link.startsAt && Date.parse(link.startsAt) > Date.now() && `starts ${formatTime(link.startsAt)}`,
    link.expiresAt && `${Date.parse(link.expiresAt) > Date.now() ? 'expires' : 'expired'} ${formatTime(link.expiresAt)}`,
  ]
  return (
    <>
      {formatDay(link.createdAt)}
      {link.clicks > 0 && (
        <>
          {' · '}
          <Link href={statsPath(link)} prefetch={false} className="underline underline-offset-2 hover:text-fg">
            {formatCount(link.clicks, 'click', 'clicks')}
          </Link>
        </>
      )}
      {times.filter(Boolean).map((text) => ` · ${text}`)}
    </>
  )
}
