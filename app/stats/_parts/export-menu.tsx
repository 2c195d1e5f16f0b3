import { ChartColumn, Download, List, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { Menu, MenuItem } from '@/app/_ui/base/menu'
import { toast } from '@/app/_ui/base/toast'
import { EXPORTS, type Export, type LinkAccess, type ScopeAccess, saveExport } from '@/app/_ui/data/stats'
import { requestOf } from './request'
import type { View } from './view'

const ICONS: Record<Export, LucideIcon> = { stats: ChartColumn, clicks: List }

/** What is shown, as files: of this range and with these filters. */
export function ExportMenu({ access, view }: { access: LinkAccess | ScopeAccess; view: View }) {
  const t = useTranslations('stats')
  const [busy, setBusy] = useState(false)
  const save = async (kind: Export) => {
    setBusy(true)
    const dismiss = toast(t('export.preparing'), { stays: true })
    const result = await saveExport(access, kind, requestOf(view))
    setBusy(false)
    dismiss()
    if (!result.ok) toast(t('export.failed'), { description: result.failure.message })
  }
  return (
    <Menu
      className="w-64"
      trigger={
        <Button size="small" className="max-sm:flex-1" disabled={busy}>
          <Download aria-hidden="true" className="size-4" />
          {t('export.label')}
        </Button>
      }
    >
      {EXPORTS.filter((kind) => kind === 'stats' || 'code' in access).map((kind) => (
        <MenuItem key={kind} icon={ICONS[kind]} hint={t(`export.${kind}.hint`)} onSelect={() => void save(kind)}>
          {t(`export.${kind}.title`)}
        </MenuItem>
      ))}
    </Menu>
  )
}
