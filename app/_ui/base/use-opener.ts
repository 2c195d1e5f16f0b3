import { useState } from 'react'

/**
 * Where the cursor was before a dialog opened. @returns what Radix is to do when the dialog closes: the dialogs here
 * have no trigger for it to find its way back by. Where what opened it has gone, as by what the dialog did, that is the part
 * of the page that it was in.
 */
export function useOpener(): (event: Event) => void {
  const [ways] = useState(() => waysBack(findOpener()))
  return (event) => {
    event.preventDefault()
    // What was done may have put the cursor somewhere already.
    const isFree = document.activeElement === null || document.activeElement === document.body
    const [opener] = ways
    if (opener?.isConnected) opener.focus()
    else if (isFree) ways.find((way) => way.isConnected)?.focus({ preventScroll: true })
  }
}

function findOpener(): HTMLElement | null {
  const active = document.activeElement
  // An item of a menu goes when the menu closes; its button stays.
  const menu = active?.closest('[role=menu]')
  const opener = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : active
  return opener instanceof HTMLElement ? opener : null
}

/** The opener, and what it is in that can have the cursor, the nearest first. */
function waysBack(opener: HTMLElement | null): HTMLElement[] {
  const ways: HTMLElement[] = opener ? [opener] : []
  for (let way = opener?.parentElement?.closest<HTMLElement>('[tabindex]'); way; way = way.parentElement?.closest('[tabindex]'))
    ways.push(way)
  return ways
}
