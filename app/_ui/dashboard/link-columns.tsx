import Link from 'next/link'
import { Amount } from '@/app/_ui/base/amount'
import type { Column } from '@/app/_ui/base/data-table'
import { Sparkline } from '@/app/_ui/base/sparkline'
import { readableUrl } from '@/app/_ui/data/idn'
import { formatNumber } from '@/app/_ui/data/numbers'
import { formatDay, formatTime } from '@/app/_ui/data/time'
import { Badges } from '@/app/_ui/links/badges'
import { statsPath } from '@/app/_ui/links/stats-path'
import type { LinkView } from '@/lib/links/schemas'
import type { LinksControl } from './use-links-view'

export type DaysOf = (id: string) => number[] | undefined

/** The columns of the list of links. Titles and destinations are what people typed: kept to their own direction and place. */
export function linkColumns({ view, change }: LinksControl, daysOf: DaysOf): Column<LinkView>[] {
  const deleted = view.state === 'deleted'
  const byClicks = view.sort === 'clicks'
  return [
    { key: 'link', title: 'Link', narrow: 'line', cell: (link) => <Name link={link} deleted={deleted} /> },
    {
      key: 'clicks',
      title: 'Clicks',
      numeric: true,
      width: 'md:w-24 lg:w-44',
      cell: (link) => <Clicks link={link} days={daysOf(link.id)} deleted={deleted} />,
      ...(!deleted && {
        sort: {
          direction: byClicks ? ('descending' as const) : null,
          onSort: () => change({ sort: byClicks ? 'newest' : 'clicks' }),
        },
      }),
    },
    { key: 'state', title: 'State', narrow: 'bare', width: 'md:w-32', cell: (link) => <State link={link} /> },
    {
      key: 'created',
      title: deleted ? 'Deleted' : 'Created',
      narrow: 'bare',
      width: 'md:w-32',
      cell: ({ createdAt, deletedAt }) => <Day iso={deletedAt ?? createdAt} />,
      ...(!deleted && {
        sort: {
          direction: byClicks ? null : view.sort === 'oldest' ? ('ascending' as const) : ('descending' as const),
          onSort: () => change({ sort: view.sort === 'newest' ? 'oldest' : 'newest' }),
        },
      }),
    },
  ]
}

function Name({ link, deleted }: { link: LinkView; deleted: boolean }) {
  const name = readableUrl(link.shortUrl)
  return (
    <div className="min-w-0">
      {deleted ? (
        <span className="font-medium text-anywhere">{name}</span>
      ) : (
        <a
          href={link.shortUrl}
          target="_blank"
          rel="noreferrer"
          className="line-clamp-2 font-medium text-accent underline-offset-4 text-anywhere hover:underline"
        >
          {name}
        </a>
      )}
      <p className="truncate text-muted md:text-[13px]" title={link.url}>
        {link.title && (
          <>
            <bdi className="font-medium text-fg">{link.title}</bdi> ·{' '}
          </>
        )}
        <bdi>{readableUrl(link.url)}</bdi>
      </p>
    </div>
  )
}

interface ClicksProps {
  link: LinkView
  days: number[] | undefined
  deleted: boolean
}

function Clicks({ link, days, deleted }: ClicksProps) {
  const recent = days?.reduce((sum, count) => sum + count, 0) ?? 0
  return (
    <span className="inline-flex items-center justify-end gap-3">
      {!deleted && (
        <span className="hidden lg:inline">
          <Sparkline counts={days} label={`${formatNumber(recent)} clicks in the last 30 days`} />
        </span>
      )}
      {deleted ? (
        <Amount value={link.clicks} />
      ) : (
        <Link
          href={statsPath(link)}
          prefetch={false}
          title={`Statistics of ${readableUrl(link.shortUrl)}`}
          className="font-medium md:min-w-10 underline-offset-4 hover:text-accent hover:underline md:text-right"
        >
          <Amount value={link.clicks} />
        </Link>
      )}
    </span>
  )
}

function State({ link }: { link: LinkView }) {
  return (
    <span className="inline-flex flex-wrap gap-1 ">
      {link.state === 'active' && !link.hasPassword && !link.listed ? (
        <span className="text-[13px] text-muted">Active</span>
      ) : (
        <Badges link={link} />
      )}
    </span>
  )
}

function Day({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} title={formatTime(iso)} className="text-[13px] whitespace-nowrap text-muted">
      {formatDay(iso)}
    </time>
  )
}
