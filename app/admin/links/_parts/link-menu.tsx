import { ChartColumn, EllipsisVertical, PanelRight } from 'lucide-react'
import { useTranslations } from '#i18n'
import { IconButton } from '@/app/_ui/base/button'
import { Menu, MenuItem, MenuLink, MenuSeparator } from '@/app/_ui/base/menu'
import type { LinkAction } from '@/app/_ui/data/admin'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { ACTION_LOOKS } from '@/app/_ui/links/action-looks'
import { statsPath } from '@/app/_ui/links/stats-path'
import type { AdminLinkView } from '@/lib/links/schemas'

/** What says each action where there is one link: a ban asks why first. */
export function useActionText(): (action: LinkAction) => string {
  const t = useTranslations('admin.links')
  const links = useTranslations('links')
  return (action) => (action === 'ban' ? t('ban') : links(`action.${action}`))
}

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
  const t = useTranslations('admin.links')
  const links = useTranslations('links')
  const actionText = useActionText()
  return (
    <Menu
      trigger={
        <IconButton icon={EllipsisVertical} label={t('actionsFor', { link: readableUrl(link.shortUrl) })} hint={t('actions')} />
      }
    >
      <MenuItem icon={PanelRight} onSelect={onOpen}>
        {t('open')}
      </MenuItem>
      {link.state !== 'deleted' && (
        <MenuLink icon={ChartColumn} href={statsPath(link)}>
          {links('action.statistics')}
        </MenuLink>
      )}
      <MenuSeparator />
      {actionsOf(link).map((action) => (
        <MenuItem
          key={action}
          icon={ACTION_LOOKS[action].icon}
          danger={ACTION_LOOKS[action].danger}
          onSelect={() => onAct(action)}
        >
          {actionText(action)}
        </MenuItem>
      ))}
    </Menu>
  )
}
