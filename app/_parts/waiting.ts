import { MOST_WAITING, WAITING_KEY, type WaitingUrl } from '@/lib/offline/waiting'

export function readWaiting(): WaitingUrl[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(WAITING_KEY) ?? '[]')
    return Array.isArray(kept) ? kept : []
  } catch {
    return []
  }
}

/** @returns whether the browser takes it */
export function writeWaiting(list: readonly WaitingUrl[]): boolean {
  try {
    if (list.length === 0) localStorage.removeItem(WAITING_KEY)
    else localStorage.setItem(WAITING_KEY, JSON.stringify(list.slice(0, MOST_WAITING)))
    return list.length <= MOST_WAITING
  } catch {
    return false
  }
}

/**
 * Keeps a URL that could not be sent, if that is since there is no network.
 * @returns all that will be sent later, or null if this will not be
 */
export function keepForLater(id: string, url: string): string[] | null {
  if (navigator.onLine) return null
  // It may have been on its way.
  const list = [...readWaiting().filter((one) => one.id !== id), { id, url, sentAt: Date.now() }]
  return writeWaiting(list) ? list.map((one) => one.url) : null
}
