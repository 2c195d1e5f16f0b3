import { useTranslations } from '#i18n'
import { toast } from '@/app/_ui/base/toast'
import { deleteLink, restoreLink, updateLink } from '@/app/_ui/data/api'
import type { CursorPage } from '@/app/_ui/data/cursor-page'
import { readableUrl } from '@/app/_ui/data/readable-url'
import type { Failure } from '@/lib/forms/failure'
import type { LinkView } from '@/lib/links/schemas'

/** The session opens one's own links: no key is needed. */
export const keyOfOwn = ({ code, domain }: LinkView) => ({ code, domain, manageToken: null })

interface Actions {
  enable: (link: LinkView, on: boolean) => Promise<void>
  archive: (link: LinkView, on: boolean) => Promise<void>
  favorite: (link: LinkView, on: boolean) => Promise<void>
  remove: (link: LinkView) => Promise<void>
  restore: (link: LinkView) => Promise<void>
}

type Action = 'enable' | 'disable' | 'delete' | 'restore' | 'archive' | 'unarchive' | 'favorite' | 'unfavorite'

/** What is done to a single link at once, with the way back in a toast. @param onRemoved a row is about to leave the list */
export function useLinkActions(page: CursorPage<LinkView>, onRemoved: (id: string) => void): Actions {
  const t = useTranslations('linkList')
  const nameOf = (link: LinkView) => ({ link: readableUrl(link.shortUrl) })
  const failed = (link: LinkView, action: Action, failure: Failure) => {
    if (failure.kind === 'gone') page.reload()
    toast(t(`one.failed.${action}`, nameOf(link)), { description: failure.message })
  }
  const done = (link: LinkView, action: Action, undo?: () => Promise<unknown>) =>
    toast(t(`one.done.${action}`, nameOf(link)), { ...(undo && { action: { label: t('undo'), onClick: () => void undo() } }) })

  const enable = async (link: LinkView, on: boolean) => {
    const action = on ? 'enable' : 'disable'
    const result = await updateLink(keyOfOwn(link), { enabled: on })
    if (!result.ok) return failed(link, action, result.failure)
    page.replace(result.value)
    done(link, action, on ? undefined : () => enable(link, true))
  }
  /** Archived or not, a link may be out of place in this list. */
  const archive = async (link: LinkView, on: boolean) => {
    const action = on ? 'archive' : 'unarchive'
    const result = await updateLink(keyOfOwn(link), { archived: on })
    if (!result.ok) return failed(link, action, result.failure)
    onRemoved(link.id)
    page.reload()
    done(link, action, () => archive(link, !on))
  }
  const favorite = async (link: LinkView, on: boolean) => {
    const action = on ? 'favorite' : 'unfavorite'
    const result = await updateLink(keyOfOwn(link), { favorite: on })
    if (!result.ok) return failed(link, action, result.failure)
    page.replace(result.value)
    done(link, action)
  }
  const remove = async (link: LinkView) => {
    const result = await deleteLink(keyOfOwn(link))
    if (!result.ok) return failed(link, 'delete', result.failure)
    onRemoved(link.id)
    page.remove(link.id)
    done(link, 'delete', () => bringBack(link))
  }
  const bringBack = async (link: LinkView, leaves = false): Promise<boolean> => {
    const result = await restoreLink(keyOfOwn(link))
    if (!result.ok) {
      failed(link, 'restore', result.failure)
      return false
    }
    if (leaves) onRemoved(link.id)
    page.reload()
    done(link, 'restore')
    return true
  }
  const restore = async (link: LinkView) => {
    await bringBack(link, true)
  }
  return { enable, archive, favorite, remove, restore }
}
