import { Ban, ChartColumn, Check, EllipsisVertical, PanelRight, RotateCcw, ShieldBan, ShieldCheck, Trash2 } from 'lucide-react'
import { IconButton } from '@/app/_ui/base/button'
import { Menu, MenuItem, MenuLink, MenuSeparator } from '@/app/_ui/base/menu'
import type { LinkAction } from '@/app/_ui/data/admin'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { statsPath } from '@/app/_ui/links/stats-path'
import type { AdminLinkView } from '@/lib/links/schemas'

export const LOOKS = {
  enable: { text: 'Enable', icon: Check },
  disable: { text: 'Disable', icon: Ban },
  ban: { text: 'Ban…', icon: ShieldBan },
  unban: { text: 'Unban', icon: ShieldCheck },
  delete: { text: 'Delete', icon: Trash2 },
  restore: { text: 'Restore', icon: RotateCcw },
} as const

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
        <MenuItem
          key={action}
          icon={LOOKS[action].icon}
          danger={action === 'ban' || action === 'delete'}
          onSelect={() => onAct(action)}
        >
          {LOOKS[action].text}
        </MenuItem>
      ))}
    </Menu>
  )
}
