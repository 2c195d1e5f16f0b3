/** Things browsers do, also on a page served over plain http, where some of their interfaces are missing. */

/** @returns whether the text is on the clipboard now */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.style.cssText = 'position:fixed;top:0;opacity:0'
  // Inside an open dialog, where focus is held.
  const parent = focused?.closest('[role=dialog]') ?? document.body
  parent.append(area)
  area.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    area.remove()
    if (focused instanceof HTMLElement) focused.focus()
  }
}

export function downloadFile(name: string, content: Blob): void {
  const anchor = document.createElement('a')
  anchor.href = URL.createObjectURL(content)
  anchor.download = name
  anchor.click()
  // The download has its own hold on the content only after it has begun.
  setTimeout(() => URL.revokeObjectURL(anchor.href), 60_000)
}

/** A random UUID (version 4). `crypto.randomUUID` is there on secure pages only. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Names one try to create a link to the API: two, so that a phone that asks again is known on another network too. */
export const attemptKey = () => `${randomId()}.${randomId()}`
