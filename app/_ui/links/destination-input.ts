import { addressInput } from '@/app/_ui/base/field'
import { completeAddress } from '@/lib/forms/fields'

/** What makes an input one for a destination: it is completed once it was typed. */
export const destinationInput = {
  ...addressInput,
  autoCorrect: 'off',
  onBlur: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    currentTarget.value = completeAddress(currentTarget.value)
  },
} as const
