import { Upload } from 'lucide-react'
import { type ChangeEvent, type DragEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslations } from '#i18n'
import { useFormat } from '@/app/_ui/data/format'
import type { Result } from '@/app/_ui/data/http'
import { useForm } from '@/app/_ui/data/use-form'
import { invalid } from '@/lib/forms/failure'
import { textOf } from '@/lib/forms/fields'
import type { JobView } from '@/lib/jobs/schemas'
import { bytesOf, LIST_MB, type ListType } from '@/lib/tools/list-size'
import { Button, buttonClass } from './button'
import { cx } from './cx'
import { Dialog } from './dialog'
import { Field, textAreaClass } from './field'
import { Form } from './form'
import { FormActions } from './form-actions'
import { JobProgress } from './job-progress'

interface Props {
  title: string
  description: ReactNode
  /** As what the list is sent. */
  type: ListType
  /** Kinds of files to choose from, as an `input` takes them. */
  accept: string
  /** A list to type in the place of a file, as an example. */
  placeholder: string
  /** What the button says that sends the list; “Import” unless given. */
  action?: string
  /** Sends the list, which becomes a job. */
  send: (list: string | File) => Promise<Result<JobView>>
  /** The list has been read, as far as it could be. */
  onOver: () => void
  onClose: () => void
}

/** Takes in a list, from a file or pasted, and shows what becomes of it. */
export function ImportDialog({ title, description, type, accept, placeholder, action, send, onOver, onClose }: Props) {
  const [job, setJob] = useState<JobView | null>(null)
  return (
    <Dialog title={title} description={description} onClose={onClose}>
      {job ? (
        <JobProgress
          key={job.number}
          job={job}
          onOther={setJob}
          onOver={(ended) => {
            setJob(ended)
            onOver()
          }}
          onClose={onClose}
        />
      ) : (
        <ImportForm
          title={title}
          type={type}
          accept={accept}
          placeholder={placeholder}
          action={action}
          send={send}
          onBegun={setJob}
          onCancel={onClose}
        />
      )}
    </Dialog>
  )
}

interface FormProps extends Pick<Props, 'title' | 'type' | 'accept' | 'placeholder' | 'send'> {
  action: string | undefined
  onBegun: (job: JobView) => void
  onCancel: () => void
}

function ImportForm({ title, type, accept, placeholder, action, send, onBegun, onCancel }: FormProps) {
  const t = useTranslations('base.import')
  const [file, setFile] = useState<File | null>(null)
  const form = useForm(async (data) => {
    const pasted = textOf(data, 'list')
    const bytes = file?.size ?? new Blob([pasted]).size
    if (bytes > bytesOf(type)) return invalid({}, t('tooLarge', { most: LIST_MB[type] }))
    if (bytes === 0) return invalid({}, file ? t('emptyFile') : t('nothing'))
    // A file as it is: the server says when it is not UTF-8, where reading it here would only make � of what it does not know.
    const result = await send(file ?? pasted)
    if (!result.ok) return result.failure
    onBegun(result.value)
    return null
  })
  return (
    <Form name={null} ref={form.ref} onSubmit={form.onSubmit} aria-label={title} className="space-y-5">
      <FilePicker
        file={file}
        accept={accept}
        onChange={(chosen) => {
          setFile(chosen)
          form.setFailure(null)
        }}
      />
      {file === null && <PastedList placeholder={placeholder} />}
      <FormActions form={form} action={form.pending ? t('sending') : (action ?? t('import'))} onCancel={onCancel} />
    </Form>
  )
}

/** A list to paste in the place of a file. */
export function PastedList({ placeholder }: { placeholder: string | undefined }) {
  const t = useTranslations('base.import')
  return (
    <Field label={t('paste')}>
      {(control) => (
        <textarea
          {...control}
          name="list"
          rows={7}
          spellCheck={false}
          autoCapitalize="none"
          placeholder={placeholder}
          className={`${textAreaClass} font-mono sm:text-[13px]`}
        />
      )}
    </Field>
  )
}

interface FilePickerProps {
  file: File | null
  accept: string
  onChange: (file: File | null) => void
}

/** A file to choose, and what was chosen. */
export function FilePicker({ file, accept, onChange }: FilePickerProps) {
  const t = useTranslations('base.import')
  const format = useFormat()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent<HTMLDivElement>) => {
    // Else the browser opens it in the place of the page.
    event.preventDefault()
    setOver(false)
    const [dropped] = event.dataTransfer.files
    if (dropped) onChange(dropped)
  }
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => onChange(currentTarget.files?.[0] ?? null)
  const clear = () => {
    if (input.current) input.current.value = ''
    onChange(null)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping a file is one more way to what the button does
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cx(
        'flex flex-wrap items-center gap-3 rounded-card border border-dashed p-4',
        isOver ? 'border-accent bg-accent-soft' : 'border-line-strong',
      )}
    >
      <label className={buttonClass('secondary', 'cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-accent')}>
        <Upload aria-hidden="true" className="size-4" />
        {t('choose')}
        <input ref={input} type="file" accept={accept} onChange={choose} className="sr-only" />
      </label>
      {!file && <span className="text-sm text-muted pointer-coarse:hidden">{t('drop')}</span>}
      {file && (
        <>
          <span className="order-last min-w-0 basis-full text-sm text-anywhere sm:order-none sm:flex-1 sm:basis-0">
            <bdi>{file.name}</bdi> <span className="text-muted">({format.bytes(file.size)})</span>
          </span>
          <Button size="small" look="quiet" onClick={clear}>
            {t('clear')}
          </Button>
        </>
      )}
    </div>
  )
}
