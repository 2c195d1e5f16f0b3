import { useTranslations } from '#i18n'
import type { Column } from '@/app/_ui/base/data-table'
import { QuietMoment } from '@/app/_ui/base/moment'
import type { BlockRuleView } from '@/lib/blocklist/schemas'
import { unicodeHost } from '@/lib/net/shown-host'

export function useRuleColumns(): Column<BlockRuleView>[] {
  const t = useTranslations('admin.blocklist')
  return [
    {
      key: 'value',
      title: t('column.rule'),
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
      title: t('column.kind'),
      narrow: 'bare',
      width: 'md:w-28',
      cell: ({ kind }) => <span className="text-[13px]">{t(`kinds.${kind}.name`)}</span>,
    },
    {
      key: 'by',
      title: t('column.by'),
      narrow: 'bare',
      width: 'md:w-44',
      cell: ({ createdBy }) => <bdi className="text-[13px] text-anywhere">{createdBy || '–'}</bdi>,
    },
    {
      key: 'created',
      title: t('column.added'),
      narrow: 'bare',
      width: 'md:w-32',
      cell: ({ createdAt }) => <QuietMoment iso={createdAt} />,
    },
  ]
}
