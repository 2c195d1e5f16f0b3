import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Button, IconButton } from '@/app/_ui/base/button'
import { TextField } from '@/app/_ui/base/field'
import { FormDialog } from '@/app/_ui/base/form-dialog'
import { toast } from '@/app/_ui/base/toast'
import { useFormat } from '@/app/_ui/data/format'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { addNote, type LinkAccess, type NoteOf, removeNote, type ScopeAccess } from '@/app/_ui/data/stats'
import { fromLocalInput, localInput } from '@/app/_ui/data/time'
import { useForm } from '@/app/_ui/data/use-form'
import { invalid } from '@/lib/forms/failure'
import { textOf } from '@/lib/forms/fields'
import type { Note, Stats } from '@/lib/stats/schemas'

/** Those of the range that is shown, in order of time. */
export const notesWithin = (notes: readonly NoteOf[], { from, to }: Pick<Stats, 'from' | 'to'>) =>
  notes.filter(({ at }) => Date.parse(at) >= Date.parse(from) && Date.parse(at) < Date.parse(to))

interface Props {
  access: LinkAccess | ScopeAccess
  /** Those to show. */
  notes: readonly NoteOf[]
  timezone: string
  onChange: () => void
}

/** What happened in the range: the marks on the chart, in words, and of a single link a way to add one. */
export function Notes({ access, notes, timezone, onChange }: Props) {
  const t = useTranslations('stats')
  const format = useFormat()
  const [adding, setAdding] = useState(false)
  const link = 'code' in access ? access : null
  const remove = async (from: LinkAccess, { id, at, text }: Note) => {
    const result = await removeNote(from, id)
    onChange()
    if (!result.ok) return void toast(t('notes.notDeleted'), { description: result.failure.message })
    const undo = async () => {
      const again = await addNote(from, { at, text })
      onChange()
      if (!again.ok) toast(t('notes.notRestored'), { description: again.failure.message })
    }
    toast(t('notes.deleted'), { action: { label: t('notes.undo'), onClick: undo } })
  }
  if (!link && notes.length === 0) return null
  return (
    <div className="mt-4 flex flex-wrap items-center gap-2 border-t border-line pt-3">
      {notes.length > 0 && (
        <ol aria-label={t('notes.label')} className="contents">
          {notes.map((note, index) => (
            <li
              key={note.id}
              className="inline-flex max-w-full items-center gap-2 rounded-full border border-line bg-bg pl-1.5 text-[13px]"
            >
              <NoteNumber value={index + 1} />
              <span className="min-w-0 truncate">
                <bdi className="font-medium">{note.text}</bdi>
                {note.shortUrl !== undefined && <bdi className="ml-2 text-muted">{readableUrl(note.shortUrl)}</bdi>}
                <time dateTime={note.at} className="ml-2 text-muted max-sm:hidden">
                  {format.time(note.at, timezone)}
                </time>
              </span>
              {link ? (
                <IconButton
                  icon={X}
                  label={t('notes.deleteNote', { text: note.text })}
                  hint={t('notes.delete')}
                  onClick={() => void remove(link, note)}
                />
              ) : (
                <span className="w-1 shrink-0" />
              )}
            </li>
          ))}
        </ol>
      )}
      {link && (
        <Button size="small" look="quiet" className={notes.length === 0 ? '-ml-3' : ''} onClick={() => setAdding(true)}>
          <Plus aria-hidden="true" className="size-4" />
          {t('notes.add')}
        </Button>
      )}
      {link && adding && (
        <NoteDialog
          access={link}
          onClose={() => setAdding(false)}
          onAdded={() => {
            setAdding(false)
            onChange()
          }}
        />
      )}
    </div>
  )
}

/** As on the chart. */
function NoteNumber({ value }: { value: number }) {
  return (
    <span
      aria-hidden="true"
      className="inline-flex size-5 shrink-0 items-center justify-center rounded-full bg-fg text-[11px] font-semibold text-bg tabular-nums"
    >
      {value}
    </span>
  )
}

interface DialogProps {
  access: LinkAccess
  onAdded: () => void
  onClose: () => void
}

function NoteDialog({ access, onAdded, onClose }: DialogProps) {
  const t = useTranslations('stats')
  const form = useForm(async (data) => {
    const at = fromLocalInput(textOf(data, 'at'))
    const text = textOf(data, 'text').trim()
    if (text === '') return invalid({ text: t('notes.textMissing') })
    const result = await addNote(access, { text, ...(at && { at }) })
    if (!result.ok) return result.failure
    onAdded()
    return null
  })
  return (
    <FormDialog title={t('notes.add')} description={t('notes.hint')} form={form} action={t('notes.add')} onClose={onClose}>
      <TextField
        label={t('notes.text')}
        {...form.field('text')}
        maxLength={140}
        placeholder={t('notes.placeholder')}
        autoComplete="off"
      />
      <TextField
        label={t('notes.time')}
        {...form.field('at', localInput(new Date()))}
        type="datetime-local"
        hint={t('notes.timeHint')}
      />
    </FormDialog>
  )
}
