/** What was typed since something was asked for that is not there yet; null while nothing is waited for. */
let held: string | null = null
let onEscape = () => {}

/**
 * Keeps what is typed until what was asked for opens: on a slow line, its code comes later than the next key. The first field
 * that takes the cursor in a dialog gets it all.
 * @param cancel wants it no longer, by Escape
 */
export function holdTyping(cancel = () => {}): void {
  if (held !== null) return
  held = ''
  onEscape = cancel
  // Before anyone else hears of it: none of it is a single key.
  window.addEventListener('keydown', hold, true)
  window.addEventListener('focusin', handOver)
  // Who presses something else is no longer typing into what is to come.
  window.addEventListener('pointerdown', releaseTyping, true)
}

/** Keys are the page's again; what was typed is forgotten. */
export function releaseTyping(): void {
  held = null
  window.removeEventListener('keydown', hold, true)
  window.removeEventListener('focusin', handOver)
  window.removeEventListener('pointerdown', releaseTyping, true)
}

export const isTypingHeld = (): boolean => held !== null

function hold(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey } = event
  if (key === 'Escape') {
    releaseTyping()
    onEscape()
  }
  if (ctrlKey || metaKey || altKey || held === null) return
  if (key.length === 1) held += key
  else if (key === 'Backspace') held = held.slice(0, -1)
  else if (key !== 'Enter') return
  event.preventDefault()
  event.stopPropagation()
}

function handOver({ target }: FocusEvent): void {
  if (!(target instanceof HTMLElement)) return
  const isField = target.matches('input, textarea')
  const dialog = target.closest('[role=dialog], [role=alertdialog]')
  const isInDialog = dialog !== null
  // Its form is still on its way, and says so by this.
  if ((!isField && !isInDialog) || dialog?.querySelector('[data-awaited]')) return
  const typed = held
  releaseTyping()
  // Once the dialog has settled, which selects what is in its first field. As if typed, for all that listen to the field.
  if (typed && isField && isInDialog) queueMicrotask(() => document.execCommand('insertText', false, typed))
}
