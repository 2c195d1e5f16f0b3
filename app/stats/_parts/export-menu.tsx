import { Download } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useState } from 'react'
import { toast } from 'sonner'
import { useTranslations } from '#i18n'
import { buttonClass } from '@/app/_ui/base/button'
import { EXPORTS, type Export, type LinkAccess, saveExport } from '@/app/_ui/data/stats'
import { requestOf } from './request'
import type { View } from './view'

/** What is shown, as files: of this range and with these filters. */
export function ExportMenu({ access, view }: { access: LinkAccess; view: View }) {
  const t = useTranslations('stats')
  const [busy, setBusy] = useState(false)
  const save = async (kind: Export) => {
    setBusy(true)
    const waiting = toast.loading(t('export.preparing'))
    const result = await saveExport(access, kind, requestOf(view))
    setBusy(false)
    toast.dismiss(waiting)
    if (!result.ok) toast(t('export.failed'), { description: result.failure.message })
  }
  return (
    // In its place on the page, and the rest stays in use: it is a menu, no dialog.
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className={buttonClass('secondary', 'max-sm:flex-1', 'small')} disabled={busy}>
        <Download aria-hidden="true" className="size-4" />
        {t('export.label')}
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
            <span className="block font-medium">{t(`export.${kind}.title`)}</span>
            <span className="block text-[13px] text-muted">{t(`export.${kind}.hint`)}</span>
          </DropdownMenu.Item>
        ))}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  )
}
