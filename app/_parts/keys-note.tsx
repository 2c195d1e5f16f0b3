'use client'

import { type ChangeEvent, useRef } from 'react'
import { useTranslations } from '#i18n'
import { buttonClass } from '@/app/_ui/base/button'
import { toast } from '@/app/_ui/base/toast'
import { downloadFile } from '@/app/_ui/data/browser'
import { exportRecents, importRecents, MAX_RECENTS } from '@/app/_ui/data/recents'

/** Says where the keys are, and lets them be taken elsewhere. */
export function KeysNote({ count }: { count: number }) {
  const t = useTranslations('front.keys')
  const file = useRef<HTMLInputElement>(null)
  const load = async ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const chosen = currentTarget.files?.[0]
    const added = chosen ? importRecents(await chosen.text()) : undefined
    if (file.current) file.current.value = ''
    if (added === null) toast(t('empty.title'), { description: t('empty.text') })
    else if (added !== undefined) toast(t('added', { count: added }))
  }
  return (
    <div className="mt-4 text-[13px] text-muted">
      {count > 0 && <p>{t('note', { max: MAX_RECENTS })}</p>}
      <div className="mt-1 -ml-3 flex flex-wrap">
        {count > 0 && (
          <button
            type="button"
            onClick={() => downloadFile('terse-links.json', new Blob([exportRecents()], { type: 'application/json' }))}
            className={buttonClass('quiet', undefined, 'small')}
          >
            {t('export')}
          </button>
        )}
        <button type="button" onClick={() => file.current?.click()} className={buttonClass('quiet', undefined, 'small')}>
          {t('import')}
        </button>
        <input ref={file} type="file" accept="application/json,.json" hidden onChange={load} aria-label={t('file')} />
      </div>
    </div>
  )
}
