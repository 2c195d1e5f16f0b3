import { Download } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { CopyButton } from '@/app/_ui/base/copy-button'
import { downloadFile } from '@/app/_ui/data/browser'

/** The codes for when the phone is lost, shown in a dialog this once. */
export function BackupCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const t = useTranslations('settings.twoFactor.codes')
  const copy = useRef<HTMLButtonElement>(null)
  useEffect(() => copy.current?.focus(), [])
  const text = `${codes.join('\n')}\n`
  return (
    <>
      <ul
        aria-label={t('list')}
        className="grid grid-cols-2 gap-x-6 gap-y-1.5 rounded-control border border-line bg-bg p-4 font-mono text-sm"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-5 flex flex-col gap-3 sm:flex-row">
        <CopyButton ref={copy} text={text} name={t('copy')} />
        <Button onClick={() => downloadFile('terse-backup-codes.txt', new Blob([text], { type: 'text/plain' }))}>
          <Download aria-hidden="true" className="size-[18px]" />
          {t('download')}
        </Button>
        <Button className="sm:ml-auto" onClick={onClose}>
          {t('saved')}
        </Button>
      </div>
    </>
  )
}
