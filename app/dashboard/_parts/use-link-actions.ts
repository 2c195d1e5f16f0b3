import { toast } from 'sonner'
import { deleteLink, restoreLink, updateLink } from '@/app/_ui/data/api'
import type { CursorPage } from '@/app/_ui/data/cursor-page'
import { readableUrl } from '@/app/_ui/data/readable-url'
import type { Failure } from '@/lib/forms/failure'
import type { LinkView } from '@/lib/links/schemas'

/** The session opens one's own links: no key is needed. */
export const keyOfOwn = ({ code, domain }: LinkView) => ({ code, domain, manageToken: null })

interface Actions {
  enable: (link: LinkView, on: boolean) => Promise<void>
  remove: (link: LinkView) => Promise<void>
  restore: (link: LinkView) => Promise<void>
}

/** What is done to a single link at once, with the way back in a toast. @param onRemoved a row has left the list */
export function useLinkActions(page: CursorPage<LinkView>, onRemoved: () => void): Actions {
  const failed = (link: LinkView, what: string, failure: Failure) => {
    if (failure.kind === 'gone') page.reload()
    toast(`${readableUrl(link.shortUrl)} was not ${what}`, { description: failure.message })
  }
  const enable = async (link: LinkView, on: boolean) => {
    const result = await updateLink(keyOfOwn(link), { enabled: on })
    if (!result.ok) return failed(link, on ? 'enabled' : 'disabled', result.failure)
    page.replace(result.value)
    toast(`${on ? 'Enabled' : 'Disabled'} ${readableUrl(link.shortUrl)}`, {
      ...(!on && { action: { label: 'Undo', onClick: () => void enable(link, true) } }),
    })
  }
  const remove = async (link: LinkView) => {
    const result = await deleteLink(keyOfOwn(link))
    if (!result.ok) return failed(link, 'deleted', result.failure)
    page.remove(link.id)
    onRemoved()
    toast(`Deleted ${readableUrl(link.shortUrl)}`, { action: { label: 'Undo', onClick: () => void bringBack(link) } })
  }
  const bringBack = async (link: LinkView): Promise<boolean> => {
    const result = await restoreLink(keyOfOwn(link))
    if (!result.ok) {
      failed(link, 'restored', result.failure)
      return false
    }
    page.reload()
    toast(`${readableUrl(link.shortUrl)} is back`)
    return true
  }
  const restore = async (link: LinkView) => {
    if (await bringBack(link)) onRemoved()
  }
  return { enable, remove, restore }
}
