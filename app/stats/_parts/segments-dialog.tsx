import { X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslations } from '#i18n'
import { Button, IconButton } from '@/app/_ui/base/button'
import { Dialog } from '@/app/_ui/base/dialog'
import { TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { deleteSegment, type Segment, saveSegment, useSegments } from '@/app/_ui/data/segments'
import { textOf } from '@/lib/forms/fields'
import type { ViewControl } from './use-view'
import { filtersOf, filtersQuery } from './view'

/** Filters with a name: those that were saved, and a way to save those that are on. */
export function SegmentsDialog({ control: { view, change }, onClose }: { control: ViewControl; onClose: () => void }) {
  const t = useTranslations('stats')
  const segments = useSegments()
  const query = filtersQuery(view)
  const [deleted, setDeleted] = useState<Segment | null>(null)
  const apply = (segment: Segment) => {
    change(filtersOf(new URLSearchParams(segment.query)))
    onClose()
  }
  const remove = (segment: Segment) => {
    deleteSegment(segment.name)
    setDeleted(segment)
  }
  return (
    <Dialog title={t('segments.title')} description={t('segments.hint')} onClose={onClose}>
      <p role="status" className="text-sm text-muted">
        {deleted && t.rich('segments.deleted', { name: () => <bdi>{deleted.name}</bdi> })}
      </p>
      {deleted && (
        <Button
          size="small"
          look="quiet"
          className="mb-3 -ml-3"
          onClick={() => {
            saveSegment(deleted)
            setDeleted(null)
          }}
        >
          {t('segments.undo')}
        </Button>
      )}
      {segments.length > 0 ? (
        <ul aria-label={t('segments.list')} className="mb-5 divide-y divide-line border-y border-line">
          {segments.map((segment) => (
            <li key={segment.name} className="flex items-center gap-2">
              <button
                type="button"
                aria-pressed={segment.query === query}
                onClick={() => apply(segment)}
                className="min-h-11 min-w-0 flex-1 truncate text-left text-sm font-medium hover:text-accent aria-pressed:text-accent"
              >
                <bdi>{segment.name}</bdi>
              </button>
              <IconButton
                icon={X}
                label={t('segments.deleteSegment', { name: segment.name })}
                hint={t('segments.delete')}
                onClick={() => remove(segment)}
              />
            </li>
          ))}
        </ul>
      ) : (
        query === '' && <p className="py-6 text-center text-sm text-muted">{t('segments.empty')}</p>
      )}
      {query !== '' && <SaveForm query={query} />}
    </Dialog>
  )
}

function SaveForm({ query }: { query: string }) {
  const t = useTranslations('stats')
  const [error, setError] = useState<string>()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // Events of React find their way out of a dialog, to the form around its button.
    event.stopPropagation()
    const name = textOf(new FormData(event.currentTarget), 'name').trim()
    if (name === '') return setError(t('segments.nameMissing'))
    saveSegment({ name, query })
    event.currentTarget.reset()
  }
  return (
    <Form name={null} onSubmit={submit} aria-label={t('segments.form')} className="flex items-end gap-3">
      <div className="min-w-0 flex-1">
        <TextField
          label={t('segments.name')}
          name="name"
          maxLength={60}
          autoComplete="off"
          placeholder={t('segments.placeholder')}
          error={error}
          onChange={() => setError(undefined)}
        />
      </div>
      <Button type="submit" look="primary">
        {t('segments.save')}
      </Button>
    </Form>
  )
}
