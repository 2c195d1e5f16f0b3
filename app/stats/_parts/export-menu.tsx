import { Download } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useState } from 'react'
import { toast } from 'sonner'
import { buttonClass } from '@/app/_ui/base/button'
import { EXPORTS, type Export, type LinkAccess, saveExport } from '@/app/_ui/data/stats'
import { requestOf } from './request'
import type { View } from './view'

const NAMES: Record<Export, { title: string; hint: string }> = {
  stats: { title: 'Statistics (CSV)', hint: 'The numbers of this page' },
  clicks: { title: 'Clicks (CSV)', hint: 'Each click, a line' },
}

/** What is shown, as files: of this range and with these filters. */
export function ExportMenu({ access, view }: { access: LinkAccess; view: View }) {
  const [busy, setBusy] = useState(false)
  const save = async (kind: Export) => {
    setBusy(true)
    const waiting = toast.loading('Preparing the file…')
    const result = await saveExport(access, kind, requestOf(view))
    setBusy(false)
    toast.dismiss(waiting)
    if (!result.ok) toast('The file could not be made', { description: result.failure.message })
  }
  return (
    // In its place on the page, and the rest stays in use: it is a menu, no dialog.
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className={buttonClass('secondary', 'max-sm:flex-1', 'small')} disabled={busy}>
        <Download aria-hidden="true" className="size-4" />
        Export
      </DropdownMenu.Trigger>
      <DropdownMenu.Content
        align="end"
        sideOffset={6}
        collisionPadding={16}
        className="appear z-40 w-60 rounded-control border border-line bg-raised p-1 shadow-lg"
      >
        {EXPORTS.map((kind) => (
          <DropdownMenu.Item
            key={kind}
            onSelect={() => save(kind)}
            className="cursor-pointer rounded-[7px] px-3 py-2 text-sm outline-none data-[highlighted]:bg-accent-soft data-[highlighted]:text-accent"
          >
            <span className="block font-medium">{NAMES[kind].title}</span>
            <span className="block text-[13px] text-muted">{NAMES[kind].hint}</span>
          </DropdownMenu.Item>
        ))}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  )
}
