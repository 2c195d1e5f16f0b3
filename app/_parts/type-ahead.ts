/** What was typed since the palette was asked for; null while nothing waits for it. */
let held: string | null = null

/** Keeps what is typed until the palette is there to take it: on a slow line, its code comes later than the next key. */
export function holdTyping(): void {
  if (held !== null) return
  held = ''
  // Before anyone else hears of it: none of it is a single key.
  window.addEventListener('keydown', hold, true)
}

/** @returns what was typed meanwhile */
export function releaseTyping(): string {
  window.removeEventListener('keydown', hold, true)
  const typed = held ?? ''
  held = null
  return typed
}

function hold(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey } = event
  if (ctrlKey || metaKey || altKey || held === null) return
  if (key.length === 1) held += key
  else if (key === 'Backspace') held = held.slice(0, -1)
  else if (key !== 'Enter') return
  event.preventDefault()
}
