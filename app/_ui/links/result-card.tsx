'use client'

import { ChartColumn, Check, QrCode } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslations } from '#i18n'
import { Button, LinkButton } from '@/app/_ui/base/button'
import { CopyButton } from '@/app/_ui/base/copy-button'
import { cx } from '@/app/_ui/base/cx'
import { LocalTime } from '@/app/_ui/base/local-time'
import { onDemand } from '@/app/_ui/base/on-demand'
import { ShortLink } from '@/app/_ui/base/short-link'
import { ShortName } from '@/app/_ui/base/short-name'
import { ButtonOrLink, CopyByHand, SCRIPTS_ONLY, WithoutScripts } from '@/app/_ui/base/without-scripts'
import { linkPath } from '@/app/_ui/data/api'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { useInBrowser } from '@/app/_ui/data/use-in-browser'
import type { LinkView } from '@/lib/links/schemas'
import { statsPath } from './stats-path'

const QrDialog = onDemand(() => import('./qr/qr-dialog').then((module) => module.QrDialog))

/** What is shown of a link that was just created. */
type Result = Pick<LinkView, 'code' | 'domain' | 'shortUrl' | 'url' | 'expiresAt' | 'hasPassword'> & {
  manageToken?: string | null | undefined
}

interface Props {
  link: Result
  /** It belongs to the account that is signed in. */
  owned?: boolean
  /** Shown beside it, such as its QR code. */
  beside?: ReactNode
  onAgain: () => void
}

/** The short link, with the cursor on Copy: one more key press and it is on the clipboard. */
export function ResultCard({ link, owned = false, beside, onAgain }: Props) {
  const t = useTranslations('links')
  const copy = useRef<HTMLButtonElement>(null)
  // What the address of its statistics is depends on that of this page.
  const inBrowser = useInBrowser()
  const [qrOpen, setQrOpen] = useState(false)
  useEffect(() => copy.current?.focus(), [])
  const shown = readableUrl(link.shortUrl)

  return (
    <section aria-label={t('result.label')} className="appear rounded-card border border-line bg-surface p-5 shadow-xs sm:p-6">
      <p role="status" className="flex items-center gap-1.5 text-sm font-medium text-ok">
        <Check aria-hidden="true" className="size-4" />
        {t('result.ready')}
      </p>
      <div className={cx('mt-3 flex flex-col gap-4', !beside && 'sm:flex-row sm:items-center sm:justify-between')}>
        <ShortLink href={link.shortUrl} className="min-w-0 text-xl font-semibold tracking-tight sm:text-2xl">
          <ShortName name={shown} />
        </ShortLink>
        <CopyButton ref={copy} text={link.shortUrl} name={shown} />
      </div>
      {/* The short link has the whole width; the code stands by the details. */}
      <div className="mt-4 flex items-start gap-4 sm:mt-2">
        <div className="min-w-0 flex-1">
          <p className="line-clamp-2 text-sm break-all text-muted">
            {t('result.destination', { destination: readableUrl(link.url) })}
          </p>
          <Terms link={link} />
        </div>
        {beside}
      </div>
      <ByHand link={link} owned={owned} />
      <div className="mt-5 flex flex-col gap-3 border-t border-line pt-5 sm:flex-row sm:flex-wrap">
        <Button className={SCRIPTS_ONLY} onClick={() => setQrOpen(true)}>
          <QrCode aria-hidden="true" className="size-[18px]" />
          {t('action.qr')}
        </Button>
        {/* Without its key or its owner's session they would not open. */}
        {inBrowser && (owned || link.manageToken) && (
          <LinkButton href={statsPath(link)} prefetch={false}>
            <ChartColumn aria-hidden="true" className="size-[18px]" />
            {t('action.statistics')}
          </LinkButton>
        )}
        <ButtonOrLink href="/" onClick={onAgain}>
          {t('result.again')}
        </ButtonOrLink>
      </div>
      {qrOpen && <QrDialog link={link} owned={owned} onClose={() => setQrOpen(false)} />}
    </section>
  )
}

function Terms({ link }: { link: Result }) {
  const t = useTranslations('links')
  const { expiresAt, hasPassword } = link
  if (!expiresAt && !hasPassword) return null
  return (
    <p className="mt-1 text-sm text-muted">
      {expiresAt && t.rich('result.expires', { time: () => <LocalTime iso={expiresAt} /> })}
      {expiresAt && hasPassword && ' · '}
      {hasPassword && t('result.password')}
    </p>
  )
}

/** What scripts would copy and keep, where none run. */
function ByHand({ link, owned }: { link: Result; owned: boolean }) {
  const t = useTranslations('links')
  return (
    <WithoutScripts>
      <div className="mt-5 space-y-4 border-t border-line pt-5">
        <CopyByHand label={t('result.copy')} text={link.shortUrl} />
        {link.manageToken && <CopyByHand label={t('token.label')} text={link.manageToken} hint={t('token.hint')} />}
        {owned && (
          <a
            href={linkPath(link, '/qr', { domain: link.domain, format: 'png' })}
            download
            className="inline-block text-sm text-accent underline underline-offset-4"
          >
            {t('action.qr')} (PNG)
          </a>
        )}
      </div>
    </WithoutScripts>
  )
}
