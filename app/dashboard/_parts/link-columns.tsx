import { useTranslations } from '#i18n'
import type { Column } from '@/app/_ui/base/data-table'
import { ShortLink } from '@/app/_ui/base/short-link'
import { ShortName } from '@/app/_ui/base/short-name'
import { Sparkline } from '@/app/_ui/base/sparkline'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { Clicks, TitleAndDestination, useListColumns } from '@/app/_ui/links/link-cells'
import type { LinksControl } from '@/app/_ui/links/links-view'
import type { Look, LookColumn } from '@/lib/links/look'
import type { LinkView } from '@/lib/links/schemas'
import { LinkLabels } from './link-labels'

export type DaysOf = (id: string) => number[] | undefined

/** The columns of the list of links. */
export function useLinkColumns(control: LinksControl, { columns }: Look, daysOf: DaysOf): Column<LinkView>[] {
  const t = useTranslations('dashboard.links')
  const { clicks, state, created } = useListColumns(control)
  const has = (column: LookColumn) => columns.includes(column)
  const numbers = has('trend')
    ? {
        ...clicks,
        width: 'wide:w-20 lg:wide:w-44',
        cell: (link: LinkView) => <RecentClicks link={link} days={daysOf(link.id)} />,
      }
    : clicks
  return [
    {
      key: 'link',
      title: t('column'),
      narrow: 'line',
      cell: (link) => <Name link={link} destination={has('destination')} control={control} />,
    },
    ...(has('clicks') ? [numbers] : []),
    ...(has('state') ? [{ ...state, width: 'wide:w-28 lg:wide:w-32' }] : []),
    ...(has('created') ? [{ ...created, width: 'wide:w-26 lg:wide:w-32' }] : []),
  ]
}

function Name({ link, destination, control }: { link: LinkView; destination: boolean; control: LinksControl }) {
  const name = readableUrl(link.shortUrl)
  return (
    <div className="min-w-0">
      {link.deletedAt !== null ? (
        <span className="font-medium text-anywhere">
          <ShortName name={name} />
        </span>
      ) : (
        <ShortLink href={link.shortUrl} className="line-clamp-2 font-medium">
          <ShortName name={name} />
        </ShortLink>
      )}
      {destination && <TitleAndDestination link={link} />}
      <LinkLabels link={link} control={control} />
    </div>
  )
}

function RecentClicks({ link, days }: { link: LinkView; days: number[] | undefined }) {
  const t = useTranslations('dashboard.links')
  const recent = days?.reduce((sum, count) => sum + count, 0) ?? 0
  return (
    <span className="inline-flex items-center justify-end gap-3">
      {link.deletedAt === null && (
        <span className="hidden lg:inline">
          <Sparkline counts={days} label={t('recentClicks', { count: recent })} />
        </span>
      )}
      <Clicks link={link} className="wide:min-w-10 wide:text-right" />
    </span>
  )
}
