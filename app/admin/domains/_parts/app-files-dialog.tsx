import { useTranslations } from '#i18n'
import { Dialog } from '@/app/_ui/base/dialog'
import { TextAreaField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { FormActions } from '@/app/_ui/base/form-actions'
import { Skeletons } from '@/app/_ui/base/skeletons'
import { toast } from '@/app/_ui/base/toast'
import { readAppFiles, updateAppFiles } from '@/app/_ui/data/admin'
import { useServerData } from '@/app/_ui/data/server-data'
import { useForm } from '@/app/_ui/data/use-form'
import { AdminFailure } from '@/app/admin/_parts/admin-failure'
import { withReason } from '@/app/admin/_parts/reason-of'
import type { AppFilesView } from '@/lib/domains/app-files-schema'
import type { DomainView } from '@/lib/domains/schemas'
import { invalid } from '@/lib/forms/failure'
import { textOf } from '@/lib/forms/fields'

interface Props {
  domain: DomainView
  name: string
  onClose: () => void
}

/** The files by which a domain names the apps that open its links. */
export function AppFilesDialog({ domain, name, onClose }: Props) {
  const t = useTranslations('admin.domains.apps')
  const { value, failure, reload } = useServerData(['app-files', domain.id], (signal) => readAppFiles(domain.id, signal))
  return (
    <Dialog title={t('title', { name })} onClose={onClose}>
      {failure && <AdminFailure failure={failure} stale={false} onAgain={reload} />}
      {value ? (
        <Files domain={domain} name={name} files={value} onClose={onClose} />
      ) : (
        !failure && <Skeletons count={2} height="h-32" className="space-y-4" />
      )}
    </Dialog>
  )
}

function Files({ domain, name, files, onClose }: Props & { files: AppFilesView }) {
  const t = useTranslations('admin.domains.apps')
  const form = useForm(async (data) => {
    const read = { appleAppSiteAssociation: jsonIn(data, 'appleAppSiteAssociation'), assetLinks: jsonIn(data, 'assetLinks') }
    const wrong = Object.entries(read).filter(([, value]) => value === undefined)
    if (wrong.length > 0) return invalid(Object.fromEntries(wrong.map(([field]) => [field, t('notJson')])))
    const result = await updateAppFiles(domain.id, read)
    if (!result.ok) return withReason(result.failure)
    toast(t('done', { name }))
    onClose()
    return null
  })
  return (
    <Form name={null} ref={form.ref} onSubmit={form.onSubmit} aria-label={t('form')} className="space-y-5">
      <TextAreaField
        label={t('apple')}
        hint={t('appleHint')}
        {...form.field('appleAppSiteAssociation', textFor(files.appleAppSiteAssociation))}
        rows={8}
        spellCheck={false}
      />
      <TextAreaField
        label={t('google')}
        hint={t('googleHint')}
        {...form.field('assetLinks', textFor(files.assetLinks))}
        rows={8}
        spellCheck={false}
      />
      <FormActions form={form} action={t('submit')} onCancel={onClose} />
    </Form>
  )
}

const textFor = (file: unknown) => (file === null ? '' : JSON.stringify(file, null, 2))

/** What a field holds as JSON: null for nothing, undefined for what is no JSON. */
function jsonIn(data: FormData, name: string): unknown {
  const text = textOf(data, name).trim()
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
