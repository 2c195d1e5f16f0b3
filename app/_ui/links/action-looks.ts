import { Ban, Check, type LucideIcon, RotateCcw, ShieldBan, ShieldCheck, Trash2 } from 'lucide-react'
import type { AdminBulkAction } from '@/app/_ui/data/links'

/** How what can be done with links looks. Its words: `links.action`. */
export const ACTION_LOOKS: Record<AdminBulkAction, { icon: LucideIcon; danger?: true }> = {
  enable: { icon: Check },
  disable: { icon: Ban },
  delete: { icon: Trash2, danger: true },
  restore: { icon: RotateCcw },
  ban: { icon: ShieldBan, danger: true },
  unban: { icon: ShieldCheck },
}
