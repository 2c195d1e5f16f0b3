import type { ComponentProps } from 'react'
import { TextField } from '@/app/_ui/base/field'
import { destinationInput } from '../destination-input'

type Props = Pick<ComponentProps<typeof TextField>, 'label' | 'labelHidden' | 'error'> & {
  url: string
  onChange: (url: string) => void
}

/** A destination of a rule or a split, completed once it was typed. */
export function DestinationField({ url, onChange, ...field }: Props) {
  return (
    <TextField
      {...field}
      {...destinationInput}
      value={url}
      placeholder="https://"
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      onBlur={({ currentTarget }) => {
        destinationInput.onBlur({ currentTarget })
        if (currentTarget.value !== url) onChange(currentTarget.value)
      }}
    />
  )
}
