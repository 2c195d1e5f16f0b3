import { Upload } from 'lucide-react'
import { type ChangeEvent, useState } from 'react'
import { useTranslations } from '#i18n'
import { Button, buttonClass } from '@/app/_ui/base/button'
import { FieldError } from '@/app/_ui/base/field'
import { toast } from '@/app/_ui/base/toast'
import { deleteLogo, uploadLogo } from '@/app/_ui/data/qr'
import { LOGO } from '@/lib/qr/values'
import type { StyleControl } from './use-picture'

/** The logo of an account: shown, replaced, deleted. */
export function LogoFields({ control }: { control: StyleControl }) {
  const t = useTranslations('links.qr.logo')
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const upload = async (event: ChangeEvent<HTMLInputElement>) => {
    const input = event.currentTarget
    const file = input.files?.[0]
    if (!file || busy) return
    setFailure(null)
    if (file.size > LOGO.kilobytes * 1024) return setFailure(t('tooLarge', { most: LOGO.kilobytes }))
    setBusy(true)
    const result = await uploadLogo(file)
    setBusy(false)
    // So that the same file can be chosen again.
    input.value = ''
    if (!result.ok) return setFailure(result.failure.message)
    control.reload()
  }
  const remove = async () => {
    const result = await deleteLogo()
    if (!result.ok) return setFailure(result.failure.message)
    toast(t('deleted'))
    control.change({ logo: 'none' })
  }
  return (
    <div className="mt-3">
      <div className="flex flex-wrap items-center gap-3">
        {control.logo && (
          // biome-ignore lint/performance/noImgElement: a picture of some kilobytes that is here already
          <img
            src={control.logo}
            alt={t('alt')}
            className="size-10 rounded-control border border-line bg-white object-contain p-0.5"
          />
        )}
        <label
          className={buttonClass(
            'secondary',
            'cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-accent',
            'small',
          )}
        >
          <Upload aria-hidden="true" className="size-4" />
          {t(busy ? 'uploading' : control.logo ? 'replace' : 'upload')}
          <input
            type="file"
            accept={LOGO.types.join(',')}
            onChange={upload}
            aria-describedby="qr-logo-hint"
            className="sr-only"
          />
        </label>
        {control.logo && (
          <Button size="small" look="quiet" onClick={remove}>
            {t('delete')}
          </Button>
        )}
      </div>
      {failure && <FieldError id="qr-logo-error">{failure}</FieldError>}
      <p id="qr-logo-hint" className="mt-1.5 text-[13px] text-muted">
        {t('hint', { most: LOGO.kilobytes })}
      </p>
    </div>
  )
}
