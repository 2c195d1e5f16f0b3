import { type ReactNode, useState } from 'react'
import { ConfirmDialog } from '@/app/_ui/base/confirm-dialog'
import { actOnLink, type LinkAction } from '@/app/_ui/data/admin'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { ACTION_LOOKS } from '@/app/_ui/links/action-looks'
import { act, confirmed } from '@/app/admin/_parts/act'
import type { AdminLinkView } from '@/lib/links/schemas'

const DONE: Record<LinkAction, string> = {
  enable: 'Enabled',
  disable: 'Disabled',
  ban: 'Banned',
  unban: 'Lifted the ban of',
  delete: 'Deleted',
  restore: 'Restored',
}

/** What takes an action back. */
const UNDO: Partial<Record<LinkAction, LinkAction>> = { disable: 'enable', ban: 'unban', delete: 'restore' }

export interface LinkActions {
  run: (link: AdminLinkView, action: LinkAction) => void
  /** Asks for the reason of a ban, while it is being asked for. */
  dialog: ReactNode
}

/** What is done to a single link, with the way back in a toast. @param onChanged the link is not what it was */
export function useLinkActions(onChanged: () => void): LinkActions {
  const [banning, setBanning] = useState<AdminLinkView | null>(null)
  const undoOf = (link: AdminLinkView, action: LinkAction) => {
    const back = UNDO[action]
    return back && (() => void go(link, back))
  }
  const go = async (link: AdminLinkView, action: LinkAction) => {
    const name = readableUrl(link.shortUrl)
    const undo = undoOf(link, action)
    await act(actOnLink(link.id, action, ''), {
      done: `${DONE[action]} ${name}`,
      failed: `${name} was not ${ACTION_LOOKS[action].done}`,
      ...(undo && { undo }),
    })
    onChanged()
  }
  const ban = (link: AdminLinkView, reason: string) => {
    const undo = undoOf(link, 'ban')
    return confirmed(actOnLink(link.id, 'ban', reason), `Banned ${readableUrl(link.shortUrl)}`, {
      onDone: onChanged,
      ...(undo && { undo }),
    })
  }
  return {
    run: (link, action) => (action === 'ban' ? setBanning(link) : void go(link, action)),
    dialog: banning && (
      <BanLinkDialog
        what={readableUrl(banning.shortUrl)}
        onBan={(reason) => ban(banning, reason)}
        onClose={() => setBanning(null)}
      />
    ),
  }
}

interface BanProps {
  /** A short URL, or how many. */
  what: string
  onBan: (reason: string) => Promise<string | null>
  onClose: () => void
}

export function BanLinkDialog({ what, onBan, onClose }: BanProps) {
  return (
    <ConfirmDialog
      title={`Ban ${what}?`}
      action="Ban"
      danger
      reason={{ label: 'Reason (optional)', hint: 'Visitors of the link read it.' }}
      onConfirm={onBan}
      onClose={onClose}
    >
      <p>It leads nowhere from then on, and its owner cannot switch it on again. Only an admin can.</p>
    </ConfirmDialog>
  )
}
