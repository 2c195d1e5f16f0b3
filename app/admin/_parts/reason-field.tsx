import type { ComponentProps } from 'react'
import { TextField } from '@/app/_ui/base/field'

/** Why something is banned or blocked. */
export function ReasonField(props: Omit<ComponentProps<typeof TextField>, 'label'>) {
  return <TextField label="Reason (optional)" name="reason" autoComplete="off" maxLength={255} {...props} />
}
