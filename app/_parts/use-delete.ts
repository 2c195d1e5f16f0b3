import { toast } from '@/app/_ui/base/toast'
import { deleteLink, restoreLink } from '@/app/_ui/data/api'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { forgetLink, markLost, type RecentLink, rememberLink } from '@/app/_ui/data/recents'
import type { Translator } from '@/lib/i18n/translate'

/**
 * Deletes at once and offers the way back in a toast.
 * @returns whether the link has left the list
 */
export async function deleteWithUndo(link: RecentLink, t: Translator<'front'>): Promise<boolean> {
  const name = readableUrl(link.shortUrl)
  const result = await deleteLink(link)
  if (!result.ok) {
    const { kind, message } = result.failure
    if (kind === 'gone' || kind === 'refused') markLost(link, kind)
    toast(t('recent.delete.failed', { link: name }), { description: message })
    return false
  }
  forgetLink(link)
  toast(t('recent.delete.done', { link: name }), {
    action: { label: t('recent.delete.undo'), onClick: () => void undo(link, name, t) },
  })
  return true
}

async function undo(link: RecentLink, name: string, t: Translator<'front'>): Promise<void> {
  const result = await restoreLink(link)
  if (result.ok) {
    rememberLink({ ...result.value, manageToken: link.manageToken })
    toast(t('recent.delete.restored', { link: name }))
    return
  }
  const retry = result.failure.kind === 'network' || result.failure.kind === 'unavailable' || result.failure.kind === 'limited'
  toast(t('recent.delete.notRestored', { link: name }), {
    description: result.failure.message,
    ...(retry && { action: { label: t('recent.delete.again'), onClick: () => void undo(link, name, t) } }),
  })
}
