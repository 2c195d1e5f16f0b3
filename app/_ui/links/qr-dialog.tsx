'use client'

import { Download } from 'lucide-react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { Dialog } from '@/app/_ui/base/dialog'
import { FailureMessage } from '@/app/_ui/base/failure'
import { QrImage, useQr } from '@/app/_ui/base/qr-image'
import { downloadFile } from '@/app/_ui/data/browser'
import { readableUrl } from '@/app/_ui/data/readable-url'

interface Props {
  link: { shortUrl: string; code: string }
  onClose: () => void
}

export function QrDialog({ link, onClose }: Props) {
  const t = useTranslations('links.qr')
  const qr = useQr(link.shortUrl)
  const name = `qr-${link.code.replaceAll('/', '-')}`
  const save = async (kind: 'svg' | 'png') => {
    const { qrPng, qrSvg } = await import('@/app/_ui/data/qr')
    downloadFile(`${name}.${kind}`, await (kind === 'svg' ? qrSvg : qrPng)(link.shortUrl))
  }
  return (
    <Dialog title={t('title')} description={readableUrl(link.shortUrl)} onClose={onClose}>
      {qr.status === 'failed' ? (
        <FailureMessage>{t('failed')}</FailureMessage>
      ) : (
        <div className="mx-auto aspect-square w-full max-w-64 overflow-hidden rounded-control border border-line bg-white">
          {qr.status === 'ready' ? (
            <QrImage shape={qr.shape} label={t('image', { link: link.shortUrl })} />
          ) : (
            <div className="skeleton size-full" />
          )}
        </div>
      )}
      <div className="mt-5 grid grid-cols-2 gap-3">
        {(['svg', 'png'] as const).map((kind) => (
          <Button key={kind} disabled={qr.status !== 'ready'} onClick={() => save(kind)}>
            <Download aria-hidden="true" className="size-[18px]" />
            <span>
              {t.rich('download', {
                format: kind.toUpperCase(),
                hidden: (words) => <span className="sr-only">{words}</span>,
              })}
            </span>
          </Button>
        ))}
      </div>
    </Dialog>
  )
}
