'use client'

import { type ComponentType, useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { cx } from '@/app/_ui/base/cx'
import { FieldError } from '@/app/_ui/base/field'
import { toast } from '@/app/_ui/base/toast'
import { SCRIPTS_ONLY } from '@/app/_ui/base/without-scripts'
import type { FormState } from '@/app/_ui/data/use-form'
import { fillIn } from '@/app/_ui/data/use-typed'
import type { FieldErrors } from '@/lib/forms/fields'

interface Props<Own extends object, Value> {
  /** The field that keeps the value as text. */
  name: 'preview' | 'routing'
  form: FormState
  /** What the field says before anything is changed. */
  text: string
  label: string
  /** What the field is set to, in one line. */
  summary: string
  /** What is said while something wrong is out of sight. */
  wrong: string
  /** What the button says. */
  action: (isOpen: boolean) => string
  /** Brings the editor, once it is asked for. */
  load: () => Promise<ComponentType<Own & { errors: FieldErrors; onChange: (value: Value) => void }>>
  /** What the editor is given besides the errors. */
  own: Own
  textOf: (value: Value) => string
}

/** A part of a link that has an editor of its own: what it is set to in one line, and the editor one step away. */
export function FoldedEditor<Own extends object, Value>(props: Props<Own, Value>) {
  const { name, form, text, label, summary, wrong, action, load, own, textOf } = props
  const forms = useTranslations('forms')
  const [Editor, setEditor] = useState<Awaited<ReturnType<typeof load>> | null>(null)
  const errors = Object.keys(form.errors).filter((path) => form.errors[path] && path.startsWith(name))
  const open = () =>
    load().then(
      (loaded) => setEditor(() => loaded),
      () => toast(forms('offline')),
    )
  const change = (changed: Value) => {
    errors.forEach(form.clear)
    if (form.ref.current) fillIn(form.ref.current, [[name, textOf(changed)]])
  }
  const isWrong = !Editor && errors.length > 0
  return (
    // An open one is as long as a form of its own: lines say where it begins and ends.
    <fieldset aria-label={label} className={cx('min-w-0', Editor && 'border-y border-line py-4', SCRIPTS_ONLY)}>
      <textarea hidden name={name} defaultValue={form.typed[name] ?? text} />
      <div className="flex items-center justify-between gap-4">
        <div className="min-w-0">
          <p className="text-sm font-medium">{label}</p>
          <p className="text-[13px] text-muted text-anywhere">{summary}</p>
        </div>
        <Button
          size="small"
          className="shrink-0"
          aria-expanded={Editor !== null}
          aria-invalid={isWrong || undefined}
          onClick={Editor ? () => setEditor(null) : open}
        >
          {action(Editor !== null)}
        </Button>
      </div>
      {isWrong && <FieldError id={`${name}-wrong`}>{wrong}</FieldError>}
      {Editor && <Editor {...own} errors={form.errors} onChange={change} />}
    </fieldset>
  )
}
