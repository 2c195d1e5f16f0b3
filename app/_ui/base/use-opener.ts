import { useState } from 'react'

/**
 * Where the cursor was before a dialog opened. @returns what Radix is to do when the dialog closes: the dialogs here
 * have no trigger for it to find its way back by.
 */
export function useOpener(): (event: Event) => void {
  const [opener] = useState(findOpener)
  return (event) => {
    event.preventDefault()
    opener?.focus()
  }
}

function findOpener(): HTMLElement | null {
  const active = document.activeElement
  // An item of a menu goes when the menu closes; its button stays.
  const menu = active?.closest('[role=menu]')
  const opener = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : active
  return opener instanceof HTMLElement ? opener : null
}
