import { useTranslations } from '#i18n'
import type { Column } from '@/app/_ui/base/data-table'
import { ShortLink } from '@/app/_ui/base/short-link'
import { Sparkline } from '@/app/_ui/base/sparkline'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { Clicks, TitleAndDestination, useListColumns } from '@/app/_ui/links/link-cells'
import type { LinksControl } from '@/app/_ui/links/links-view'
import type { LinkView } from '@/lib/links/schemas'

export type DaysOf = (id: string) => number[] | undefined

/** The columns of the list of links. */
export function useLinkColumns(control: LinksControl, daysOf: DaysOf): Column<LinkView>[] {
  const t = useTranslations('dashboard.links')
  const { clicks, state, created } = useListColumns(control)
  return [
    { key: 'link', title: t('column'), narrow: 'line', cell: (link) => <Name link={link} /> },
    {
      ...clicks,
      width: 'md:w-24 lg:w-44',
      cell: (link) => <RecentClicks link={link} days={daysOf(link.id)} />,
    },
    { ...state, width: 'md:w-32' },
    created,
  ]
}

function Name({ link }: { link: LinkView }) {
  const name = readableUrl(link.shortUrl)
  return (
    <div className="min-w-0">
      {link.deletedAt !== null ? (
        <span className="font-medium text-anywhere">{name}</span>
      ) : (
        <ShortLink href={link.shortUrl} className="line-clamp-2 font-medium">
          {name}
        </ShortLink>
      )}
      <TitleAndDestination link={link} />
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
      <Clicks link={link} className="md:min-w-10 md:text-right" />
    </span>
  )
}
