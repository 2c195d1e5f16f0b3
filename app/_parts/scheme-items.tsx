import { Monitor, Moon, Sun } from 'lucide-react'
import { useTranslations } from '#i18n'
import { MenuChoices } from '@/app/_ui/base/menu'
import { SCHEMES, type Scheme } from '@/lib/brand/scheme'
import { useScheme } from './use-scheme'

const ICONS = { system: Monitor, light: Sun, dark: Moon }

/** The same choice as SchemeSwitch, in a menu. */
export function SchemeItems({ sent }: { sent: Scheme }) {
  const t = useTranslations('base.scheme')
  const [scheme, choose] = useScheme(sent)
  return (
    <MenuChoices
      label={t('label')}
      value={scheme}
      options={SCHEMES.map((value) => ({ value, label: t(`name.${value}`), icon: ICONS[value] }))}
      onChange={choose}
    />
  )
}
