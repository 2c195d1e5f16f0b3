import type { ComponentProps } from 'react'
import { useTranslations } from '#i18n'
import { TextField } from '@/app/_ui/base/field'

/** Why something is banned or blocked. */
export function ReasonField(props: Omit<ComponentProps<typeof TextField>, 'label'>) {
  const t = useTranslations('admin')
  return <TextField label={t('reason')} name="reason" autoComplete="off" maxLength={255} {...props} />
}
