'use client'

import { QrCode } from 'lucide-react'
import { useTranslations } from '#i18n'
import { QrImage, useQr } from '@/app/_ui/base/qr-image'

const SQUARE = 'size-24 shrink-0 overflow-hidden rounded-control'

/** The QR code of a short link as it is typed; null: there is nothing to show yet. */
export function LinkQr({ url }: { url: string | null }) {
  if (url !== null) return <Drawn url={url} />
  return (
    <div
      aria-hidden="true"
      className={`${SQUARE} hidden items-center justify-center border border-dashed border-line-strong sm:flex`}
    >
      <QrCode className="size-8 text-line-strong" />
    </div>
  )
}

function Drawn({ url }: { url: string }) {
  const t = useTranslations('links.qr')
  const qr = useQr(url)
  if (qr.status === 'failed') return null
  return (
    <div className={`${SQUARE} border border-line bg-white`}>
      {qr.status === 'ready' ? (
        <QrImage shape={qr.shape} label={t('image', { link: url })} />
      ) : (
        <div className="skeleton size-full" />
      )}
    </div>
  )
}
