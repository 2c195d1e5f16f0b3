'use client'

import { Download } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { Dialog } from '@/app/_ui/base/dialog'
import { FailureMessage } from '@/app/_ui/base/failure'
import { Segments } from '@/app/_ui/base/segments'
import { Select } from '@/app/_ui/base/select'
import { StickyActions } from '@/app/_ui/base/sticky-actions'
import { authorization, linkPath } from '@/app/_ui/data/api'
import { downloadFile } from '@/app/_ui/data/browser'
import { useFormat } from '@/app/_ui/data/format'
import { fetchFile, type QrPicture, styleQuery, svgUrl, toPng } from '@/app/_ui/data/qr'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { FORMATS } from '@/lib/qr/values'
import { StyleFields, Warnings } from './style-fields'
import { type StyleControl, usePicture, useStyle } from './use-picture'

interface Props {
  link: { shortUrl: string; code: string; domain: string; manageToken?: string | null | undefined }
  /** It belongs to the account that is signed in. */
  owned: boolean
  onClose: () => void
}

const PIXEL_SIZES = [256, 512, 1_024, 2_048, 4_096]
const PRINT_SIZES = [15, 20, 30, 40, 60, 100, 200]

/** The QR code of a link, as it is drawn for the screen and for paper. */
export function QrDialog({ link, owned, onClose }: Props) {
  const t = useTranslations('links.qr')
  const control = useStyle(owned)
  const picture = usePicture(link.shortUrl, control)
  const mayAsk = owned || Boolean(link.manageToken)
  const { kept } = control
  const formats = FORMATS.filter((format) => mayAsk || format !== 'pdf')
  const format = formats.includes(kept.format) ? kept.format : 'svg'
  const { save, busy, failure } = useDownload(link, control, picture, format)
  return (
    <Dialog title={t('title')} description={readableUrl(link.shortUrl)} onClose={onClose}>
      {picture === null ? (
        <FailureMessage>{t('tooLong')}</FailureMessage>
      ) : (
        <Preview svg={picture.svg} label={t('image', { link: link.shortUrl })} transparent={control.style.background === null} />
      )}
      <Warnings control={control} />
      <div className="mt-5 space-y-4">
        <div className="grid grid-cols-[minmax(0,3fr)_minmax(0,2fr)] gap-3">
          <Segments
            label={t('format')}
            value={format}
            options={formats.map((value) => ({ value, label: value.toUpperCase() }))}
            onChange={(value) => control.change({ format: value })}
          />
          <SizeSelect control={control} isPixels={format === 'png'} />
        </div>
        <StyleFields control={control} owned={owned} />
        {failure && <FailureMessage>{failure}</FailureMessage>}
        <StickyActions>
          <Button
            look="primary"
            className="w-full"
            disabled={picture === null || control.isInvisible}
            busy={busy}
            onClick={() => void save()}
          >
            <Download aria-hidden="true" className="size-[18px]" />
            {t('download', { format: format.toUpperCase() })}
          </Button>
        </StickyActions>
      </div>
    </Dialog>
  )
}

interface PreviewProps {
  svg: string
  label: string
  transparent: boolean
}

/** Shown as the picture that it becomes; what shows through is light, as paper is. */
function Preview({ svg, label, transparent }: PreviewProps) {
  const squares = 'repeating-conic-gradient(#e8e8e8 0 25%, #fff 0 50%) 0 0/16px 16px'
  return (
    <div
      className="mx-auto aspect-square w-full max-w-56 overflow-hidden rounded-control border border-line bg-white"
      style={transparent ? { background: squares } : undefined}
    >
      {/* biome-ignore lint/performance/noImgElement: it is drawn here, and there is nothing to load */}
      <img src={svgUrl(svg)} alt={label} className="size-full" />
    </div>
  )
}

function SizeSelect({ control: { kept, change }, isPixels }: { control: StyleControl; isPixels: boolean }) {
  const t = useTranslations('links.qr')
  const format = useFormat()
  const value = isPixels ? kept.pixels : kept.mm
  const sizes = isPixels ? PIXEL_SIZES : PRINT_SIZES
  const all = sizes.includes(value) ? sizes : [...sizes, value].sort((a, b) => a - b)
  const unit = isPixels ? 'px' : 'mm'
  return (
    <Select
      label={t('size')}
      value={String(value)}
      options={all.map((size) => ({ value: String(size), label: `${format.number(size)} ${unit}` }))}
      onChange={(size) => change(isPixels ? { pixels: Number(size) } : { mm: Number(size) })}
    />
  )
}

/** Saves what is shown. The PDF alone is drawn by the server: browsers have nothing that writes one. */
function useDownload(
  link: Props['link'],
  { style, kept }: StyleControl,
  picture: QrPicture | null,
  format: (typeof FORMATS)[number],
) {
  const t = useTranslations('links.qr')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const name = `qr-${link.code.replaceAll('/', '-')}.${format}`
  const make = async (drawn: QrPicture): Promise<Blob | string> => {
    if (format === 'svg') return new Blob([drawn.printed(kept.mm)], { type: 'image/svg+xml' })
    if (format === 'png') {
      const svg = drawn.pixels(kept.pixels)
      return svg === null ? t('tooFewPixels') : await toPng(svg, kept.pixels)
    }
    const query = { domain: link.domain, format, mm: String(kept.mm), ...styleQuery(style) }
    const headers = authorization({ manageToken: link.manageToken ?? null })
    const result = await fetchFile('GET', linkPath(link, '/qr', query), { headers })
    return result.ok ? result.value : result.failure.message
  }
  const save = async () => {
    if (busy || picture === null) return
    setBusy(true)
    setFailure(null)
    const made = await make(picture).catch(() => t('failed'))
    setBusy(false)
    if (typeof made === 'string') setFailure(made)
    else downloadFile(name, made)
  }
  return { save, busy, failure }
}
