import { X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslations } from '#i18n'
import type { SavedQueries, SavedQuery } from '@/app/_ui/data/saved-queries'
import { textOf } from '@/lib/forms/fields'
import { Button, IconButton } from './button'
import { Dialog } from './dialog'
import { FailureMessage } from './failure'
import { TextField } from './field'
import { Form } from './form'

interface Words {
  title: string
  hint: string
  /** What the list of those that were saved is called. */
  list: string
  /** Said where there is nothing to apply and nothing to save. */
  empty: string
  /** What saving is called, as a form and before the name. */
  form: string
  name: string
  placeholder: string
  /** Read out for the button that deletes one. */
  deleteOne: (name: string) => string
}

interface Props {
  words: Words
  saved: SavedQueries
  /** What the page shows now; '' where there is nothing to save. */
  query: string
  onApply: (query: string) => void
  onClose: () => void
}

/** What a page can show, with names: what was saved, and a way to save what it shows. */
export function SavedDialog({ words, saved, query, onApply, onClose }: Props) {
  const t = useTranslations('saved')
  const { all } = saved
  const [failure, setFailure] = useState<string | null>(null)
  const [deleted, setDeleted] = useState<SavedQuery | null>(null)
  const [kept, setKept] = useState<string | null>(null)
  const save = async (one: SavedQuery) => {
    const wrong = await saved.save(one)
    setFailure(wrong)
    if (wrong !== null) return
    setKept(one.name)
    setDeleted(null)
  }
  const remove = async (one: SavedQuery) => {
    const wrong = await saved.remove(one.name)
    setFailure(wrong)
    if (wrong !== null) return
    setKept(null)
    setDeleted(one)
  }
  return (
    <Dialog title={words.title} description={words.hint} onClose={onClose}>
      <p role="status" className="mb-2 text-sm text-muted empty:mb-0">
        {deleted && t.rich('deleted', { name: () => <bdi>{deleted.name}</bdi> })}
        {kept !== null && t.rich('saved', { name: () => <bdi>{kept}</bdi> })}
      </p>
      {deleted && (
        <Button size="small" look="quiet" className="mb-3 -ml-3" onClick={() => void save(deleted)}>
          {t('undo')}
        </Button>
      )}
      {failure !== null && <FailureMessage>{failure}</FailureMessage>}
      {all.length > 0 ? (
        <ul aria-label={words.list} className="mb-5 divide-y divide-line border-y border-line">
          {all.map((one) => (
            <li key={one.name} className="flex items-center gap-2">
              <button
                type="button"
                aria-pressed={one.query === query}
                onClick={() => {
                  onApply(one.query)
                  onClose()
                }}
                className="min-h-11 min-w-0 flex-1 truncate text-left text-sm font-medium hover:text-accent aria-pressed:text-accent"
              >
                <bdi>{one.name}</bdi>
              </button>
              <IconButton icon={X} label={words.deleteOne(one.name)} hint={t('delete')} onClick={() => void remove(one)} />
            </li>
          ))}
        </ul>
      ) : (
        query === '' && <p className="py-6 text-center text-sm text-muted">{words.empty}</p>
      )}
      {query !== '' && all.every((one) => one.query !== query) && (
        <SaveForm words={words} onSave={(name) => void save({ name, query })} />
      )}
    </Dialog>
  )
}

function SaveForm({ words, onSave }: { words: Words; onSave: (name: string) => void }) {
  const t = useTranslations('saved')
  const [error, setError] = useState<string>()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // Events of React find their way out of a dialog, to the form around its button.
    event.stopPropagation()
    const name = textOf(new FormData(event.currentTarget), 'name').trim()
    if (name === '') return setError(t('nameMissing'))
    onSave(name)
    event.currentTarget.reset()
  }
  return (
    <Form name={null} onSubmit={submit} aria-label={words.form} className="flex items-end gap-3">
      <div className="min-w-0 flex-1">
        <TextField
          label={words.name}
          name="name"
          maxLength={60}
          autoComplete="off"
          placeholder={words.placeholder}
          error={error}
          onChange={() => setError(undefined)}
        />
      </div>
      <Button type="submit" look="primary">
        {t('save')}
      </Button>
    </Form>
  )
}
