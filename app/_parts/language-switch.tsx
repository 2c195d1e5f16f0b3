'use client'

import { useRef } from 'react'
import { useTranslations } from '#i18n'
import { buttonClass } from '@/app/_ui/base/button'
import { Form } from '@/app/_ui/base/form'
import { WithoutScripts } from '@/app/_ui/base/without-scripts'

interface Props {
  /** The languages there are, each with its own name. */
  languages: readonly (readonly [id: string, name: string])[]
  current: string
}

/** Shows this page in another language, and every page after it. */
export function LanguageSwitch({ languages, current }: Props) {
  const t = useTranslations('base.language')
  const form = useRef<HTMLFormElement>(null)
  return (
    <Form name="language" ref={form} className="flex items-center gap-2">
      <select
        name="language"
        aria-label={t('label')}
        defaultValue={current}
        onChange={() => form.current?.submit()}
        className="h-8 rounded-control border border-line bg-bg px-2 text-[13px] text-muted hover:text-fg"
      >
        {languages.map(([id, name]) => (
          <option key={id} value={id} lang={id}>
            {name}
          </option>
        ))}
      </select>
      <WithoutScripts>
        <button type="submit" className={buttonClass('secondary', '', 'small')}>
          {t('change')}
        </button>
      </WithoutScripts>
    </Form>
  )
}
