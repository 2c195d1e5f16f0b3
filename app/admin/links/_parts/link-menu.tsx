import { ChartColumn, EllipsisVertical, PanelRight } from 'lucide-react'
import { IconButton } from '@/app/_ui/base/button'
import { Menu, MenuItem, MenuLink, MenuSeparator } from '@/app/_ui/base/menu'
import type { LinkAction } from '@/app/_ui/data/admin'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { ACTION_LOOKS } from '@/app/_ui/links/action-looks'
import { statsPath } from '@/app/_ui/links/stats-path'
import type { AdminLinkView } from '@/lib/links/schemas'

/** How each is shown where there is one link: a ban asks why first. */
export const LOOKS = { ...ACTION_LOOKS, ban: { ...ACTION_LOOKS.ban, text: 'Ban…' } }

/** What can be done with a link in its state. */
export function actionsOf({ state }: Pick<AdminLinkView, 'state'>): LinkAction[] {
  if (state === 'deleted') return ['restore']
  if (state === 'banned') return ['unban', 'delete']
  return [state === 'disabled' ? 'enable' : 'disable', 'ban', 'delete']
}

interface Props {
  link: AdminLinkView
  onOpen: () => void
  onAct: (action: LinkAction) => void
}

export function LinkMenu({ link, onOpen, onAct }: Props) {
  return (
    <Menu trigger={<IconButton icon={EllipsisVertical} label={`Actions for ${readableUrl(link.shortUrl)}`} hint="Actions" />}>
      <MenuItem icon={PanelRight} onSelect={onOpen}>
        Look inside
      </MenuItem>
      {link.state !== 'deleted' && (
        <MenuLink icon={ChartColumn} href={statsPath(link)}>
          Statistics
        </MenuLink>
      )}
      <MenuSeparator />
      {actionsOf(link).map((action) => (
        <MenuItem key={action} icon={LOOKS[action].icon} danger={LOOKS[action].danger} onSelect={() => onAct(action)}>
          {LOOKS[action].text}
        </MenuItem>
      ))}
    </Menu>
  )
}
