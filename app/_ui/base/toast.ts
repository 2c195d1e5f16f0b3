/** What is said for a while at the lower edge of the page; app/_ui/base/toasts.tsx shows it. */

interface Options {
  description?: string
  /** What can be done about it, such as to undo it. */
  action?: { label: string; onClick: () => void }
  /** It stays until it is taken away. */
  stays?: boolean
}

export interface Toast extends Options {
  id: number
  title: string
}

/** More would cover the page. The oldest goes. */
const MOST = 3

let count = 0
let toasts: readonly Toast[] = []
const listeners = new Set<() => void>()

/**
 * Says it once: what says the same, with nothing to do about it, makes room.
 * @returns takes it away
 */
export function toast(title: string, options: Options = {}): () => void {
  count += 1
  const id = count
  const others = toasts.filter((other) => other.action || other.title !== title || other.description !== options.description)
  change([...others, { id, title, ...options }].slice(-MOST))
  return () => dismissToast(id)
}

export const dismissToast = (id: number) => change(toasts.filter((other) => other.id !== id))

function change(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

/** A press on a toast is about the toast: whatever else is open stays so. */
export const isInToast = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[data-toast]') !== null

export const currentToasts = (): readonly Toast[] => toasts

export function onToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
