'use client'

import { ChartColumn, Pencil, QrCode, Trash2 } from 'lucide-react'
import Link from 'next/link'
import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Button, IconButton, IconLink } from '@/app/_ui/base/button'
import { CopyIconButton } from '@/app/_ui/base/copy-button'
import { ShortLink } from '@/app/_ui/base/short-link'
import { toast } from '@/app/_ui/base/toast'
import { useFormat } from '@/app/_ui/data/format'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { forgetLink, type RecentLink } from '@/app/_ui/data/recents'
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
  const t = useTranslations('front')
  const [busy, setBusy] = useState(false)
  const name = readableUrl(link.shortUrl)
  const remove = async () => {
    setBusy(true)
    if (await deleteWithUndo(link, t)) onRemoved()
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
        <p className="mt-0.5 text-[13px] text-muted">
          {link.lost ? t(`recent.lost.${reasonLost(link)}`) : <Facts link={link} />}
        </p>
      </div>
      {link.lost ? (
        <Button
          aria-label={t('recent.forget.name', { link: name })}
          className="mt-2 self-start sm:mt-0 sm:self-center"
          onClick={forget}
        >
          {t('recent.forget.action')}
        </Button>
      ) : (
        <div className="-mb-2 -ml-3 flex shrink-0 sm:mb-0 sm:-mr-2 sm:ml-0">
          <CopyIconButton text={link.shortUrl} name={name} />
          <IconButton icon={QrCode} label={t('recent.qr.name', { link: name })} hint={t('recent.qr.hint')} onClick={onQr} />
          <IconLink
            icon={ChartColumn}
            label={t('recent.stats.name', { link: name })}
            hint={t('recent.stats.hint')}
            href={statsPath(link)}
          />
          <IconButton icon={Pencil} label={t('recent.edit.name', { link: name })} hint={t('recent.edit.hint')} onClick={onEdit} />
          {link.shared ? (
            <IconButton
              icon={Trash2}
              label={t('recent.delete.sharedName', { link: name })}
              hint={t('recent.delete.shared')}
              aria-disabled
              onClick={() => toast(t('recent.delete.shared'))}
            />
          ) : (
            <IconButton
              icon={Trash2}
              label={t('recent.delete.name', { link: name })}
              hint={t('recent.delete.hint')}
              onClick={remove}
              disabled={busy}
            />
          )}
        </div>
      )}
    </li>
  )
}

function reasonLost({ lost, manageToken }: RecentLink): 'gone' | 'account' | 'key' {
  if (lost === 'gone') return 'gone'
  return manageToken === null ? 'account' : 'key'
}

function Facts({ link }: { link: RecentLink }) {
  const t = useTranslations('front')
  const format = useFormat()
  const { startsAt, expiresAt } = link
  const isAhead = (iso: string) => Date.parse(iso) > Date.now()
  const times = [
    startsAt && isAhead(startsAt) && t('recent.starts', { time: format.time(startsAt) }),
    expiresAt && t(isAhead(expiresAt) ? 'recent.expires' : 'recent.expired', { time: format.time(expiresAt) }),
  ]
  return (
    <>
      {format.day(link.createdAt)}
      {link.clicks > 0 && (
        <>
          {' · '}
          <Link href={statsPath(link)} prefetch={false} className="underline underline-offset-2 hover:text-fg">
            {t('recent.clicks', { count: link.clicks })}
          </Link>
        </>
      )}
      {times.filter(Boolean).map((text) => ` · ${text}`)}
    </>
  )
}
