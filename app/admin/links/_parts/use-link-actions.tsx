import { type ReactNode, useState } from 'react'
import { useTranslations } from '#i18n'
import { ConfirmDialog } from '@/app/_ui/base/confirm-dialog'
import { actOnLink, type LinkAction } from '@/app/_ui/data/admin'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { useAct } from '@/app/admin/_parts/use-act'
import type { AdminLinkView } from '@/lib/links/schemas'

/** What takes an action back. */
const UNDO: Partial<Record<LinkAction, LinkAction>> = { disable: 'enable', ban: 'unban', delete: 'restore' }

export interface LinkActions {
  run: (link: AdminLinkView, action: LinkAction) => void
  /** Asks for the reason of a ban, while it is being asked for. */
  dialog: ReactNode
}

/** What is done to a single link, with the way back in a toast. @param onChanged the link is not what it was */
export function useLinkActions(onChanged: () => void): LinkActions {
  const t = useTranslations('admin.links')
  const list = useTranslations('linkList')
  const { act, confirmed } = useAct()
  const [banning, setBanning] = useState<AdminLinkView | null>(null)
  const undoOf = (link: AdminLinkView, action: LinkAction) => {
    const back = UNDO[action]
    return back && (() => void go(link, back))
  }
  const go = async (link: AdminLinkView, action: LinkAction) => {
    const name = { link: readableUrl(link.shortUrl) }
    const undo = undoOf(link, action)
    await act(actOnLink(link.id, action, ''), {
      done: list(`one.done.${action}`, name),
      failed: list(`one.failed.${action}`, name),
      ...(undo && { undo }),
    })
    onChanged()
  }
  const ban = (link: AdminLinkView, reason: string) => {
    const undo = undoOf(link, 'ban')
    return confirmed(actOnLink(link.id, 'ban', reason), list('one.done.ban', { link: readableUrl(link.shortUrl) }), {
      onDone: onChanged,
      ...(undo && { undo }),
    })
  }
  return {
    run: (link, action) => (action === 'ban' ? setBanning(link) : void go(link, action)),
    dialog: banning && (
      <BanLinkDialog
        title={t('banning.one', { link: readableUrl(banning.shortUrl) })}
        count={1}
        onBan={(reason) => ban(banning, reason)}
        onClose={() => setBanning(null)}
      />
    ),
  }
}

interface BanProps {
  title: string
  /** How many links. */
  count: number
  onBan: (reason: string) => Promise<string | null>
  onClose: () => void
}

export function BanLinkDialog({ title, count, onBan, onClose }: BanProps) {
  const t = useTranslations('admin.links.banning')
  const reason = useTranslations('admin')('reason')
  return (
    <ConfirmDialog
      title={title}
      action={t('submit')}
      danger
      reason={{ label: reason, hint: t('reasonHint') }}
      onConfirm={onBan}
      onClose={onClose}
    >
      <p>{t('text', { count })}</p>
    </ConfirmDialog>
  )
}
