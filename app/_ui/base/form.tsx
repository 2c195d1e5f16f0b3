import type { ComponentProps, FormEvent } from 'react'
import type { FormName } from '@/lib/forms/sent'

type Props = Omit<ComponentProps<'form'>, 'action' | 'method' | 'noValidate' | 'onSubmit' | 'name'> & {
  /**
   * What answers it when it is sent before the scripts have come, or without any. null only for a form that scripts put on
   * the page, as in a dialog: it is never there without them.
   */
  name: FormName | null
  /** Left out by a form that the browser always sends itself. */
  onSubmit?: (event: FormEvent<HTMLFormElement>) => void
}

/**
 * The one form of the app. The browser itself sends it to the page's own address, never in an address; the page comes
 * again with what was typed and what is wrong, in the words of the server, hence no checks of the browser's own.
 */
export function Form({ name, onSubmit, children, ...rest }: Props) {
  return (
    <form {...rest} method="post" noValidate onSubmit={onSubmit}>
      {name !== null && <input type="hidden" name="form" value={name} />}
      {children}
    </form>
  )
}
