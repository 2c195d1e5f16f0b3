'use client'

import { useTranslations } from '#i18n'
import { buttonClass } from '@/app/_ui/base/button'
import { Form } from '@/app/_ui/base/form'
import { WithoutScripts } from '@/app/_ui/base/without-scripts'
import { isScheme, SCHEMES, type Scheme } from '@/lib/brand/scheme'
import { useScheme } from './use-scheme'

/** Shows the pages light, dark, or as the reader's system does. */
export function SchemeSwitch({ sent }: { sent: Scheme }) {
  const t = useTranslations('base.scheme')
  const [scheme, choose] = useScheme(sent)
  return (
    <Form name="scheme" className="flex items-center gap-2">
      <select
        name="scheme"
        aria-label={t('label')}
        value={scheme}
        onChange={({ currentTarget: { value } }) => isScheme(value) && choose(value)}
        className="h-8 rounded-control border border-line bg-bg px-2 text-[13px] text-muted hover:text-fg"
      >
        {SCHEMES.map((value) => (
          <option key={value} value={value}>
            {t(`name.${value}`)}
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
