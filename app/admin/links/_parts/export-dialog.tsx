import { useState } from 'react'
import { useTranslations } from '#i18n'
import { FormDialog } from '@/app/_ui/base/form-dialog'
import { toast } from '@/app/_ui/base/toast'
import { exportAllLinks } from '@/app/_ui/data/admin'
import { useForm } from '@/app/_ui/data/use-form'
import { ExportFormatFields, exportQuery, FIRST_FORMAT } from '@/app/_ui/links/export-format'

/** Everyone’s links as a file, for an admin who shows who they are. */
export function ExportDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('linksExport.all')
  const [chosen, setChosen] = useState(FIRST_FORMAT)
  const form = useForm(async () => {
    const dismiss = toast(t('preparing'), { stays: true })
    const result = await exportAllLinks(exportQuery(chosen))
    dismiss()
    if (!result.ok) return result.failure
    onClose()
    return null
  })
  return (
    <FormDialog title={t('title')} description={t('text')} form={form} action={t('submit')} onClose={onClose}>
      <div>
        <ExportFormatFields value={chosen} onChange={setChosen} />
      </div>
    </FormDialog>
  )
}
