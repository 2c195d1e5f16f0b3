import { ChartColumn, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from '#i18n'
import { IconButton, IconLink } from '@/app/_ui/base/button'
import { ConfirmDialog } from '@/app/_ui/base/confirm-dialog'
import { Dialog } from '@/app/_ui/base/dialog'
import { FailureNotice } from '@/app/_ui/base/failure-notice'
import { TextField } from '@/app/_ui/base/field'
import { FormDialog } from '@/app/_ui/base/form-dialog'
import { toast } from '@/app/_ui/base/toast'
import { deleteLabel, getLabels, renameLabel } from '@/app/_ui/data/links'
import { useServerData } from '@/app/_ui/data/server-data'
import { useForm } from '@/app/_ui/data/use-form'
import { scopePath } from '@/app/_ui/links/scope-path'
import { textOf } from '@/lib/forms/fields'
import type { LabelView } from '@/lib/labels/schemas'
import { MOST_NAME } from '@/lib/labels/values'

interface Props {
  /** A name changed, or is gone, from a number of links. */
  onChanged: () => void
  onClose: () => void
}

/** The tags and folders of the account, each to be renamed or deleted. */
export function LabelsDialog({ onChanged, onClose }: Props) {
  const t = useTranslations('dashboard.labels')
  const labels = useServerData(['labels'], getLabels)
  const [renaming, setRenaming] = useState<LabelView | null>(null)
  const [deleting, setDeleting] = useState<LabelView | null>(null)
  const changed = (said: string) => {
    toast(said)
    labels.reload()
    onChanged()
  }
  const { value } = labels
  const isEmpty = value !== null && value.tags.length + value.folders.length === 0
  return (
    <Dialog title={t('title')} description={t('hint')} onClose={onClose}>
      {labels.failure && <FailureNotice failure={labels.failure} stale={value !== null} onAgain={labels.reload} />}
      {value === null && !labels.failure && <div className="skeleton h-24" />}
      {isEmpty && <p className="py-6 text-center text-sm text-muted">{t('empty')}</p>}
      {value && (
        <>
          <LabelList title={t('tags')} labels={value.tags} kind="tag" onRename={setRenaming} onDelete={setDeleting} />
          <LabelList title={t('folders')} labels={value.folders} kind="folder" onRename={setRenaming} onDelete={setDeleting} />
        </>
      )}
      {renaming && (
        <RenameDialog label={renaming} onRenamed={(name) => changed(t('renamed', { name }))} onClose={() => setRenaming(null)} />
      )}
      {deleting && (
        <ConfirmDialog
          title={t('deleteTitle', { name: deleting.name })}
          action={t('confirm')}
          danger
          onConfirm={async () => {
            const result = await deleteLabel(deleting.id)
            if (!result.ok) return result.failure.message
            changed(t('deleted', { name: deleting.name }))
            return null
          }}
          onClose={() => setDeleting(null)}
        >
          <p>{t('deleteText')}</p>
        </ConfirmDialog>
      )}
    </Dialog>
  )
}

interface ListProps {
  title: string
  labels: readonly LabelView[]
  kind: 'tag' | 'folder'
  onRename: (label: LabelView) => void
  onDelete: (label: LabelView) => void
}

function LabelList({ title, labels, kind, onRename, onDelete }: ListProps) {
  const t = useTranslations('dashboard.labels')
  if (labels.length === 0) return null
  return (
    <section aria-label={title} className="mb-4">
      <h3 className="mb-1 text-sm font-medium">{title}</h3>
      <ul className="divide-y divide-line border-y border-line">
        {labels.map((label) => (
          <li key={label.id} className="flex items-center">
            <span className="min-w-0 flex-1 truncate py-2 text-[15px]">
              <bdi>{label.name}</bdi>
            </span>
            <IconLink
              icon={ChartColumn}
              label={t('statisticsOf', { name: label.name })}
              hint={t('statistics')}
              href={scopePath({ [kind]: label.name })}
            />
            <IconButton
              icon={Pencil}
              label={t('rename', { name: label.name })}
              hint={t('save')}
              onClick={() => onRename(label)}
            />
            <IconButton
              icon={Trash2}
              label={t('delete', { name: label.name })}
              hint={t('confirm')}
              onClick={() => onDelete(label)}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface RenameProps {
  label: LabelView
  onRenamed: (name: string) => void
  onClose: () => void
}

function RenameDialog({ label, onRenamed, onClose }: RenameProps) {
  const t = useTranslations('dashboard.labels')
  const form = useForm(async (data) => {
    const result = await renameLabel(label.id, textOf(data, 'name'))
    if (!result.ok) return result.failure
    onRenamed(result.value.name)
    onClose()
    return null
  })
  return (
    <FormDialog title={t('renameTitle', { name: label.name })} form={form} action={t('save')} onClose={onClose}>
      <TextField label={t('name')} {...form.field('name', label.name)} maxLength={MOST_NAME} autoComplete="off" />
    </FormDialog>
  )
}
