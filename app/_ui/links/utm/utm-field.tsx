'use client'

import { type ComponentType, useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { toast } from '@/app/_ui/base/toast'
import { SCRIPTS_ONLY } from '@/app/_ui/base/without-scripts'
import type { FormState } from '@/app/_ui/data/use-form'
import { fillIn, type Typed } from '@/app/_ui/data/use-typed'
import { utmOf, withUtm } from '@/lib/utm/edit-query'
import { UTM_NAMES } from '@/lib/utm/values'
import type { EditorProps } from './utm-editor'

interface Props {
  form: FormState
  typed: Typed
  /** Where the link leads before anything is typed. */
  url: string
  /** It belongs to an account, or will: there are templates. */
  owned: boolean
}

/** The UTM parameters of the destination: in one line, with the editor one step away. They are no field of their own. */
export function UtmField({ form, typed, url, owned }: Props) {
  const t = useTranslations('links.utm')
  const forms = useTranslations('forms')
  const [Editor, setEditor] = useState<ComponentType<EditorProps> | null>(null)
  const address = typed.get('url') ?? url
  const utm = utmOf(address)
  const said = UTM_NAMES.map((name) => utm[name]).filter((value) => value !== '')
  const open = () =>
    import('./utm-editor').then(
      ({ UtmEditor }) => setEditor(() => UtmEditor),
      () => toast(forms('offline')),
    )
  return (
    <fieldset aria-label={t('label')} className={`min-w-0 ${SCRIPTS_ONLY}`}>
      <div className="flex items-center justify-between gap-4">
        <div className="min-w-0">
          <p className="text-sm font-medium">{t('label')}</p>
          <p className="text-[13px] text-muted text-anywhere">
            <bdi>{said.length > 0 ? said.join(' · ') : t('none')}</bdi>
          </p>
        </div>
        <Button size="small" className="shrink-0" aria-expanded={Editor !== null} onClick={Editor ? () => setEditor(null) : open}>
          {t(Editor ? 'close' : 'edit')}
        </Button>
      </div>
      {Editor && (
        <Editor
          utm={utm}
          owned={owned}
          disabled={address.trim() === ''}
          onChange={(changes) => {
            form.clear('url')
            if (form.ref.current) fillIn(form.ref.current, [['url', withUtm(address, changes)]])
          }}
        />
      )}
    </fieldset>
  )
}
