import {
  Archive,
  ArchiveRestore,
  Ban,
  Check,
  FolderInput,
  type LucideIcon,
  RotateCcw,
  ShieldBan,
  ShieldCheck,
  Star,
  StarOff,
  Tag,
  Trash2,
} from 'lucide-react'
import type { AnyBulkAction } from '@/app/_ui/data/links'

/** How what can be done with links looks. Its words: `links.action`. */
export const ACTION_LOOKS: Record<AnyBulkAction, { icon: LucideIcon; danger?: true }> = {
  enable: { icon: Check },
  disable: { icon: Ban },
  delete: { icon: Trash2, danger: true },
  restore: { icon: RotateCcw },
  ban: { icon: ShieldBan, danger: true },
  unban: { icon: ShieldCheck },
  archive: { icon: Archive },
  unarchive: { icon: ArchiveRestore },
  favorite: { icon: Star },
  unfavorite: { icon: StarOff },
  tag: { icon: Tag },
  untag: { icon: Tag },
  move: { icon: FolderInput },
}
