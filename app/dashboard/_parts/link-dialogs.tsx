import type { CursorPage } from '@/app/_ui/data/cursor-page'
import { ImportLinksDialog } from '@/app/_ui/links/import-links-dialog'
import { QrDialog } from '@/app/_ui/links/qr-dialog'
import type { LinkView } from '@/lib/links/schemas'
import { EditDrawer } from './edit-drawer'
import { NewLinkDialog } from './new-link-dialog'

export type Open = { dialog: 'new' | 'import' } | { dialog: 'edit' | 'qr'; link: LinkView }

interface Props {
  /** Which one is open; null: none. */
  open: Open | null
  host: string
  page: CursorPage<LinkView>
  onClose: () => void
}

/** What opens over the list of links. */
export function LinkDialogs({ open, host, page, onClose }: Props) {
  switch (open?.dialog) {
    case 'new':
      return <NewLinkDialog host={host} onCreated={page.reload} onClose={onClose} />
    case 'import':
      return <ImportLinksDialog onOver={page.reload} onClose={onClose} />
    case 'edit':
      return <EditDrawer link={open.link} onSaved={page.replace} onClose={onClose} />
    case 'qr':
      return <QrDialog link={open.link} onClose={onClose} />
    default:
      return null
  }
}
