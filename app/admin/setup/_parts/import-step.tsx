'use client'

import { Upload } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { SCRIPTS_ONLY, WithoutScripts } from '@/app/_ui/base/without-scripts'

const ImportLinksDialog = dynamic(() =>
  import('@/app/_ui/links/import-links-dialog').then(({ ImportLinksDialog }) => ImportLinksDialog),
)

/** Takes in links by the dialog of the dashboard. */
export function ImportStep({ done }: { done: boolean }) {
  const t = useTranslations('setup.import')
  const router = useRouter()
  const [open, setOpen] = useState(false)
  return (
    <>
      <p>{t('text')}</p>
      <WithoutScripts>
        <p className="text-sm text-muted">{t('needsScripts')}</p>
      </WithoutScripts>
      {done && <p className="text-sm text-muted">{t('some')}</p>}
      <Button look={done ? 'secondary' : 'primary'} className={SCRIPTS_ONLY} onClick={() => setOpen(true)}>
        <Upload aria-hidden="true" className="-ml-1 size-[18px]" />
        {t('button')}
      </Button>
      {open && <ImportLinksDialog onOver={() => router.refresh()} onClose={() => setOpen(false)} />}
    </>
  )
}
