import { toast } from 'sonner'
import { deleteLink, restoreLink } from '@/app/_ui/data/api'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { forgetLink, markLost, type RecentLink, rememberLink } from '@/app/_ui/data/recents'

/**
 * Deletes at once and offers the way back in a toast.
 * @returns whether the link has left the list
 */
export async function deleteWithUndo(link: RecentLink): Promise<boolean> {
  const name = readableUrl(link.shortUrl)
  const result = await deleteLink(link)
  if (!result.ok) {
    const { kind, message } = result.failure
    if (kind === 'gone' || kind === 'refused') markLost(link, kind)
    toast(`${name} was not deleted`, { description: message })
    return false
  }
  forgetLink(link)
  toast(`Deleted ${name}`, { action: { label: 'Undo', onClick: () => void undo(link, name) } })
  return true
}

async function undo(link: RecentLink, name: string): Promise<void> {
  const result = await restoreLink(link)
  if (result.ok) {
    rememberLink({ ...result.value, manageToken: link.manageToken })
    toast(`${name} is back`)
    return
  }
  const retry = result.failure.kind === 'network' || result.failure.kind === 'unavailable' || result.failure.kind === 'limited'
  toast(`${name} was not restored`, {
    description: result.failure.message,
    ...(retry && { action: { label: 'Try again', onClick: () => void undo(link, name) } }),
  })
}
