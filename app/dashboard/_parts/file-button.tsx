import { Tag } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { Field, inputClass, TextField } from '@/app/_ui/base/field'
import { FormDialog } from '@/app/_ui/base/form-dialog'
import { useForm } from '@/app/_ui/data/use-form'
import { useTyped } from '@/app/_ui/data/use-typed'
import { write } from '@/app/_ui/data/words'
import type { Bulk } from '@/app/_ui/links/use-bulk'
import { invalid } from '@/lib/forms/failure'
import { textOf } from '@/lib/forms/fields'
import { say } from '@/lib/i18n/message'
import { namesIn } from '@/lib/labels/names'
import type { BULK_ACTIONS, FilingAction } from '@/lib/links/values'

const ACTIONS = ['tag', 'untag', 'move'] as const satisfies readonly FilingAction[]

type OwnBulk = Bulk<(typeof BULK_ACTIONS)[number] | FilingAction>

/** Opens what files all links that are selected. @param off nothing can be done now */
export function FileButton({ bulk, off }: { bulk: OwnBulk; off: boolean }) {
  const t = useTranslations('linkList.bulk')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        size="small"
        className="order-1 max-sm:flex-1 sm:order-none"
        aria-haspopup="dialog"
        aria-disabled={off}
        onClick={() => !off && setOpen(true)}
      >
        <Tag aria-hidden="true" className="size-4 max-sm:hidden" />
        {t('file')}
      </Button>
      {open && <FileDialog bulk={bulk} onClose={() => setOpen(false)} />}
    </>
  )
}

function FileDialog({ bulk, onClose }: { bulk: OwnBulk; onClose: () => void }) {
  const t = useTranslations('linkList.bulk')
  const links = useTranslations('links')
  const form = useForm(async (data) => {
    const action = ACTIONS.find((one) => one === textOf(data, 'action')) ?? 'tag'
    const names = textOf(data, 'names')
    if (action !== 'move' && namesIn(names).length === 0) return invalid({ names: write(say('forms.label.none')) })
    onClose()
    await bulk.start(action, action === 'move' ? { folder: names.trim() || null } : { tags: namesIn(names) })
    return null
  })
  const typed = useTyped(form.ref)
  const { error: _none, ...action } = form.field('action', 'tag')
  const isMove = typed.get('action') === 'move'
  return (
    <FormDialog title={t('fileTitle', { count: bulk.count.count })} form={form} action={t('fileApply')} onClose={onClose}>
      <Field label={t('fileAction')}>
        {(control) => (
          <select {...control} {...action} className={inputClass}>
            {ACTIONS.map((one) => (
              <option key={one} value={one}>
                {links(`action.${one}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <TextField
        label={links(isMove ? 'field.folder' : 'field.tags')}
        {...form.field('names', '')}
        autoComplete="off"
        hint={links(isMove ? 'field.folderHint' : 'field.tagsHint')}
      />
    </FormDialog>
  )
}
