import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { toast } from 'sonner'
import { Button, IconButton } from '@/app/_ui/base/button'
import { TextField } from '@/app/_ui/base/field'
import { FormDialog } from '@/app/_ui/base/form-dialog'
import { addNote, type LinkAccess, removeNote } from '@/app/_ui/data/stats'
import { formatTime, fromLocalInput, localInput } from '@/app/_ui/data/time'
import { useForm } from '@/app/_ui/data/use-form'
import { invalid } from '@/lib/forms/failure'
import { textOf } from '@/lib/forms/fields'
import type { Note, Stats } from '@/lib/stats/schemas'

/** Those of the range that is shown, in order of time. */
export const notesWithin = (notes: readonly Note[], { from, to }: Pick<Stats, 'from' | 'to'>) =>
  notes.filter(({ at }) => Date.parse(at) >= Date.parse(from) && Date.parse(at) < Date.parse(to))

interface Props {
  access: LinkAccess
  /** Those to show. */
  notes: readonly Note[]
  onChange: () => void
}

/** What happened to the link in the range: the marks on the chart, in words, and a way to add one. */
export function Notes({ access, notes, onChange }: Props) {
  const [adding, setAdding] = useState(false)
  const remove = async ({ id, at, text }: Note) => {
    const result = await removeNote(access, id)
    onChange()
    if (!result.ok) return void toast('The note was not deleted', { description: result.failure.message })
    const undo = async () => {
      const again = await addNote(access, { at, text })
      onChange()
      if (!again.ok) toast('The note was not restored', { description: again.failure.message })
    }
    toast('Note deleted', { action: { label: 'Undo', onClick: undo } })
  }
  return (
    <div className="mt-4 flex flex-wrap items-center gap-2 border-t border-line pt-3">
      {notes.length > 0 && (
        <ol aria-label="Notes" className="contents">
          {notes.map((note, index) => (
            <li
              key={note.id}
              className="inline-flex max-w-full items-center gap-2 rounded-full border border-line bg-bg pl-1.5 text-[13px]"
            >
              <NoteNumber value={index + 1} />
              <span className="min-w-0 truncate">
                <bdi className="font-medium">{note.text}</bdi>
                <time dateTime={note.at} className="ml-2 text-muted max-sm:hidden">
                  {formatTime(note.at)}
                </time>
              </span>
              <IconButton icon={X} label={`Delete the note ${note.text}`} hint="Delete" onClick={() => void remove(note)} />
            </li>
          ))}
        </ol>
      )}
      <Button size="small" look="quiet" className={notes.length === 0 ? '-ml-3' : ''} onClick={() => setAdding(true)}>
        <Plus aria-hidden="true" className="size-4" />
        Add note
      </Button>
      {adding && (
        <NoteDialog
          access={access}
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
  const form = useForm(async (data) => {
    const at = fromLocalInput(textOf(data, 'at'))
    const text = textOf(data, 'text').trim()
    if (text === '') return invalid({ text: 'Say what happened.' })
    const result = await addNote(access, { text, ...(at && { at }) })
    if (!result.ok) return result.failure
    onAdded()
    return null
  })
  return (
    <FormDialog
      title="Add note"
      description="Notes are marked on the chart, for everyone who can see these statistics."
      form={form}
      action="Add note"
      onClose={onClose}
    >
      <TextField label="What happened" {...form.field('text')} maxLength={140} placeholder="Newsletter sent" autoComplete="off" />
      <TextField label="When" {...form.field('at', localInput(new Date()))} type="datetime-local" hint="If left empty, now." />
    </FormDialog>
  )
}
