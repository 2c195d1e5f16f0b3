import {
  Archive,
  ArchiveRestore,
  Ban,
  ChartColumn,
  Check,
  EllipsisVertical,
  Pencil,
  QrCode,
  RotateCcw,
  Star,
  StarOff,
  Trash2,
} from 'lucide-react'
import { useTranslations } from '#i18n'
import { Button, IconButton } from '@/app/_ui/base/button'
import { CopyIconButton } from '@/app/_ui/base/copy-button'
import { Menu, MenuItem, MenuLink, MenuSeparator } from '@/app/_ui/base/menu'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { statsPath } from '@/app/_ui/links/stats-path'
import type { LinkView } from '@/lib/links/schemas'

export interface LinkActionsControl {
  edit: (link: LinkView) => void
  qr: (link: LinkView) => void
  /** Turns it on or off. */
  enable: (link: LinkView, on: boolean) => void
  archive: (link: LinkView, on: boolean) => void
  favorite: (link: LinkView, on: boolean) => void
  remove: (link: LinkView) => void
  restore: (link: LinkView) => void
}

interface Props {
  link: LinkView
  deleted: boolean
  control: LinkActionsControl
}

/** What can be done with one link. */
export function LinkActions({ link, deleted, control }: Props) {
  const t = useTranslations('dashboard.row')
  const links = useTranslations('links.action')
  const name = readableUrl(link.shortUrl)
  if (deleted) {
    return (
      <Button size="small" onClick={() => control.restore(link)}>
        <RotateCcw aria-hidden="true" className="size-4" />
        <span>{t.rich('restoreLink', { link: name, hidden: (words) => <span className="sr-only">{words}</span> })}</span>
      </Button>
    )
  }
  const disabled = link.state === 'disabled'
  return (
    <div className="-ml-3 inline-flex align-middle wide:ml-0">
      <CopyIconButton text={link.shortUrl} name={name} />
      <IconButton icon={Pencil} label={t('editLink', { link: name })} hint={t('edit')} onClick={() => control.edit(link)} />
      <Menu trigger={<IconButton icon={EllipsisVertical} label={t('moreFor', { link: name })} hint={t('more')} />}>
        <MenuLink icon={ChartColumn} href={statsPath(link)}>
          {links('statistics')}
        </MenuLink>
        <MenuItem icon={QrCode} onSelect={() => control.qr(link)}>
          {links('qr')}
        </MenuItem>
        <MenuItem
          icon={disabled ? Check : Ban}
          disabled={link.state === 'banned'}
          onSelect={() => control.enable(link, disabled)}
        >
          {links(disabled ? 'enable' : 'disable')}
        </MenuItem>
        <MenuItem icon={link.favorite ? StarOff : Star} onSelect={() => control.favorite(link, !link.favorite)}>
          {links(link.favorite ? 'unfavorite' : 'favorite')}
        </MenuItem>
        <MenuItem icon={link.archived ? ArchiveRestore : Archive} onSelect={() => control.archive(link, !link.archived)}>
          {links(link.archived ? 'unarchive' : 'archive')}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={Trash2} danger onSelect={() => control.remove(link)}>
          {links('delete')}
        </MenuItem>
      </Menu>
    </div>
  )
}
