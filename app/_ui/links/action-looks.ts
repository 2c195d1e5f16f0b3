import { Ban, Check, type LucideIcon, RotateCcw, ShieldBan, ShieldCheck, Trash2 } from 'lucide-react'
import type { AdminBulkAction } from '@/app/_ui/data/links'

/** What can be done with links: the word on its button, and the word for links that it was done with. */
export const ACTION_LOOKS: Record<AdminBulkAction, { text: string; done: string; icon: LucideIcon; danger?: true }> = {
  enable: { text: 'Enable', done: 'enabled', icon: Check },
  disable: { text: 'Disable', done: 'disabled', icon: Ban },
  delete: { text: 'Delete', done: 'deleted', icon: Trash2, danger: true },
  restore: { text: 'Restore', done: 'restored', icon: RotateCcw },
  ban: { text: 'Ban', done: 'banned', icon: ShieldBan, danger: true },
  unban: { text: 'Unban', done: 'unbanned', icon: ShieldCheck },
}
