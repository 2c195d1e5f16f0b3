import type { Column } from '@/app/_ui/base/data-table'
import { QuietMoment } from '@/app/_ui/base/moment'
import type { BlockRuleView } from '@/lib/blocklist/schemas'
import { unicodeHost } from '@/lib/net/shown-host'
import { KIND_NAMES } from './kind-names'

export const RULE_COLUMNS: Column<BlockRuleView>[] = [
  {
    key: 'value',
    title: 'Blocked',
    narrow: 'line',
    cell: ({ kind, value, reason }) => (
      <div className="min-w-0">
        <bdi className="font-medium text-anywhere" title={value}>
          {kind === 'host' || kind === 'suffix' ? unicodeHost(value) : value}
        </bdi>
        {reason && (
          <p className="line-clamp-2 text-[13px] text-muted text-anywhere">
            <bdi>{reason}</bdi>
          </p>
        )}
      </div>
    ),
  },
  {
    key: 'kind',
    title: 'Kind',
    narrow: 'bare',
    width: 'md:w-28',
    cell: ({ kind }) => <span className="text-[13px]">{KIND_NAMES[kind]}</span>,
  },
  {
    key: 'by',
    title: 'Added by',
    narrow: 'bare',
    width: 'md:w-44',
    cell: ({ createdBy }) => <bdi className="text-[13px] text-anywhere">{createdBy || '–'}</bdi>,
  },
  { key: 'created', title: 'Added', narrow: 'bare', width: 'md:w-32', cell: ({ createdAt }) => <QuietMoment iso={createdAt} /> },
]
