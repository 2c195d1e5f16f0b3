import { Ban, ChartColumn, Check, EllipsisVertical, Pencil, QrCode, RotateCcw, Trash2 } from 'lucide-react'
import { Button, IconButton } from '@/app/_ui/base/button'
import { CopyIconButton } from '@/app/_ui/base/copy-button'
import { Menu, MenuItem, MenuLink, MenuSeparator } from '@/app/_ui/base/menu'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { statsPath } from '@/app/_ui/links/stats-path'
import type { LinkView } from '@/lib/links/schemas'

export interface LinkActionsControl {
  edit: (link: LinkView) => void
  qr: (link: LinkView) => void
  /** Switches it on or off. */
  enable: (link: LinkView, on: boolean) => void
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
  const name = readableUrl(link.shortUrl)
  if (deleted) {
    return (
      <Button size="small" onClick={() => control.restore(link)}>
        <RotateCcw aria-hidden="true" className="size-4" />
        Restore<span className="sr-only"> {name}</span>
      </Button>
    )
  }
  const disabled = link.state === 'disabled'
  return (
    <div className="-ml-3 inline-flex align-middle md:ml-0">
      <CopyIconButton text={link.shortUrl} name={name} />
      <IconButton icon={Pencil} label={`Edit ${name}`} hint="Edit" onClick={() => control.edit(link)} />
      <Menu trigger={<IconButton icon={EllipsisVertical} label={`More for ${name}`} hint="More" />}>
        <MenuLink icon={ChartColumn} href={statsPath(link)}>
          Statistics
        </MenuLink>
        <MenuItem icon={QrCode} onSelect={() => control.qr(link)}>
          QR code
        </MenuItem>
        <MenuItem
          icon={disabled ? Check : Ban}
          disabled={link.state === 'banned'}
          onSelect={() => control.enable(link, disabled)}
        >
          {disabled ? 'Enable' : 'Disable'}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={Trash2} danger onSelect={() => control.remove(link)}>
          Delete
        </MenuItem>
      </Menu>
    </div>
  )
}
