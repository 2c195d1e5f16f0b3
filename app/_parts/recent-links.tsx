'use client'

import dynamic from 'next/dynamic'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { onDemand } from '@/app/_ui/base/on-demand'
import { SCRIPTS_ONLY } from '@/app/_ui/base/without-scripts'
import { useFormat } from '@/app/_ui/data/format'
import { keyOf, type RecentLink, useRecents } from '@/app/_ui/data/recents'
import { dismissDraftToast } from '@/app/_ui/links/draft-toast'
import { KeysNote } from './keys-note'
import { LinkRow } from './link-row'
import { useFreshLinks } from './use-fresh-links'

const PAGE = 10

const ClaimCard = dynamic(() => import('@/app/_ui/account/claim-card').then((module) => module.ClaimCard))
const QrDialog = onDemand(() => import('@/app/_ui/links/qr/qr-dialog').then((module) => module.QrDialog))
const EditDialog = onDemand(() => import('./edit-dialog').then((module) => module.EditDialog))

/** @param signedIn there is an account that they could be taken into */
export function RecentLinks({ signedIn }: { signedIn: boolean }) {
  const links = useRecents()
  return (
    <section aria-labelledby="recent-title" className={`mt-14 ${SCRIPTS_ONLY}`}>
      {links === undefined ? <Loading /> : <Loaded links={links} signedIn={signedIn} />}
    </section>
  )
}

function Title({ count }: { count?: number }) {
  const t = useTranslations('front.recent')
  const format = useFormat()
  return (
    <h2 id="recent-title" tabIndex={-1} className="text-base font-semibold">
      {t('title')}
      {count ? <span className="ml-2 font-normal text-muted">{format.number(count)}</span> : null}
    </h2>
  )
}

function Loading() {
  return (
    <>
      <Title />
      <div className="mt-4 h-24 rounded-card border border-line bg-surface p-5" aria-hidden="true">
        <div className="skeleton in-place h-4 w-48" />
        <div className="skeleton in-place mt-3 h-3.5 w-64 max-w-full" />
      </div>
    </>
  )
}

type Open = { dialog: 'qr' | 'edit'; link: RecentLink }

function Loaded({ links, signedIn }: { links: readonly RecentLink[]; signedIn: boolean }) {
  const t = useTranslations('front.recent')
  const section = useRef<HTMLDivElement>(null)
  const [limit, setLimit] = useState(PAGE)
  const [open, setOpen] = useState<Open | null>(null)
  const shown = links.slice(0, limit)
  useFreshLinks(shown)
  const close = () => setOpen(null)
  useEffect(() => () => dismissDraftToast(), [])
  // A row that is gone takes the cursor with it; the next best place is the title of the list.
  const afterRemoval = () => section.current?.querySelector<HTMLElement>('h2')?.focus()

  return (
    <div ref={section}>
      <Title count={links.length} />
      {signedIn && <ClaimCard className="mt-4" />}
      {links.length === 0 ? (
        <Empty />
      ) : (
        <ul className="mt-4 divide-y divide-line rounded-card border border-line bg-surface">
          {shown.map((link) => (
            <LinkRow
              key={keyOf(link)}
              link={link}
              onQr={() => setOpen({ dialog: 'qr', link })}
              onEdit={() => setOpen({ dialog: 'edit', link })}
              onRemoved={afterRemoval}
            />
          ))}
        </ul>
      )}
      {links.length > limit && (
        <Button className="mt-3 w-full" onClick={() => setLimit(limit + PAGE)}>
          {t('more')}
        </Button>
      )}
      <KeysNote count={links.filter(({ manageToken }) => manageToken !== null).length} />
      {open?.dialog === 'qr' && <QrDialog link={open.link} owned={signedIn && open.link.manageToken === null} onClose={close} />}
      {open?.dialog === 'edit' && (
        <EditDialog key={keyOf(open.link)} link={open.link} onClose={close} onContinue={() => setOpen(open)} />
      )}
    </div>
  )
}

function Empty() {
  const t = useTranslations('front.recent')
  return (
    <div className="mt-4 rounded-card border border-dashed border-line-strong px-5 py-8 text-center">
      <p className="font-medium">{t('empty.title')}</p>
      <p className="mx-auto mt-1 max-w-sm text-sm text-muted">{t('empty.text')}</p>
    </div>
  )
}
