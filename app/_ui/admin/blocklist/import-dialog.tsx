import { Upload } from 'lucide-react'
import { type ChangeEvent, useRef, useState } from 'react'
import { Button, buttonClass } from '@/app/_ui/base/button'
import { Dialog } from '@/app/_ui/base/dialog'
import { Field, textAreaClass } from '@/app/_ui/base/field'
import { JobProgress } from '@/app/_ui/base/job-progress'
import { importRules } from '@/app/_ui/data/admin'
import { textOf } from '@/app/_ui/data/form'
import { formatNumber } from '@/app/_ui/data/numbers'
import { useForm } from '@/app/_ui/data/use-form'
import type { JobView } from '@/lib/jobs/schemas'
import { troubleOf } from '../base/act'
import { FormActions } from '../base/form-actions'

/** As much as the API takes, in bytes. */
const MAX_BYTES = 5 * 1024 * 1024

interface Props {
  /** The list has been read, as far as it could be. */
  onOver: () => void
  onClose: () => void
}

/** Blocks all hosts of a list. */
export function ImportDialog({ onOver, onClose }: Props) {
  const [job, setJob] = useState<JobView | null>(null)
  return (
    <Dialog
      title="Import hosts"
      description="One host a line, or a hosts file (0.0.0.0 bad.example). Comments and empty lines are skipped."
      onClose={onClose}
    >
      {job ? (
        <JobProgress
          job={job}
          onOver={(ended) => {
            setJob(ended)
            onOver()
          }}
          onClose={onClose}
        />
      ) : (
        <ImportForm onBegun={setJob} onCancel={onClose} />
      )}
    </Dialog>
  )
}

function ImportForm({ onBegun, onCancel }: { onBegun: (job: JobView) => void; onCancel: () => void }) {
  const [file, setFile] = useState<File | null>(null)
  const form = useForm(async (data) => {
    const pasted = textOf(data, 'hosts')
    const bytes = file?.size ?? new Blob([pasted]).size
    if (bytes > MAX_BYTES) return whole('This is more than 5 MB. Split it, and import one part after the other.')
    const text = await (file?.text() ?? pasted)
    if (text.trim() === '') return whole(file ? 'There is nothing in this file.' : 'Choose a file, or paste a list.')
    const result = await importRules(text)
    if (!result.ok) return troubleOf(result.failure)
    onBegun(result.value)
    return null
  })
  return (
    <form ref={form.ref} onSubmit={form.onSubmit} noValidate aria-label="Import hosts" className="space-y-5">
      <FilePicker file={file} onChange={setFile} />
      {file === null && (
        <Field label="Or paste it">
          {(control) => (
            <textarea
              {...control}
              name="hosts"
              rows={7}
              spellCheck={false}
              autoCapitalize="none"
              placeholder={'bad.example\nworse.example'}
              className={`${textAreaClass} font-mono sm:text-[13px]`}
            />
          )}
        </Field>
      )}
      <FormActions form={form} action={form.pending ? 'Sending…' : 'Import'} onCancel={onCancel} />
    </form>
  )
}

const whole = (message: string) => ({ message, fields: {} })

function FilePicker({ file, onChange }: { file: File | null; onChange: (file: File | null) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => onChange(currentTarget.files?.[0] ?? null)
  const clear = () => {
    if (input.current) input.current.value = ''
    onChange(null)
  }
  return (
    <div className="flex flex-wrap items-center gap-3">
      <label className={buttonClass('secondary', 'cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-accent')}>
        <Upload aria-hidden="true" className="size-4" />
        Choose a file
        <input ref={input} type="file" accept=".txt,.hosts,text/plain" onChange={choose} className="sr-only" />
      </label>
      {file && (
        <>
          <span className="min-w-0 flex-1 text-sm text-anywhere">
            <bdi>{file.name}</bdi> <span className="text-muted">({formatNumber(Math.ceil(file.size / 1024))} KB)</span>
          </span>
          <Button size="small" look="quiet" onClick={clear}>
            Remove<span className="sr-only"> the file</span>
          </Button>
        </>
      )}
    </div>
  )
}
