/** What the lists of links, one's own and everyone's, show in their columns. */

import Link from 'next/link'
import { useTranslations } from '#i18n'
import { Amount } from '@/app/_ui/base/amount'
import { cx } from '@/app/_ui/base/cx'
import type { Column } from '@/app/_ui/base/data-table'
import { QuietMoment } from '@/app/_ui/base/moment'
import { Select } from '@/app/_ui/base/select'
import { readableUrl } from '@/app/_ui/data/readable-url'
import type { LinkView } from '@/lib/links/schemas'
import { LINK_SORTS } from '@/lib/links/values'
import { Badges } from './badges'
import { Favicon } from './favicon'
import type { LinksControl } from './links-view'
import { statsPath } from './stats-path'

type Columns = Record<'clicks' | 'state' | 'created', Column<LinkView>>

/** The columns of every list of links. They sort it, but deleted links have one order. */
export function useListColumns({ view, change }: LinksControl): Columns {
  const t = useTranslations('linkList')
  const deleted = view.state === 'deleted'
  const byClicks = view.sort === 'clicks'
  const newestFirst = view.sort === 'oldest' ? 'ascending' : 'descending'
  const clicks: Column<LinkView>['sort'] = {
    direction: byClicks ? 'descending' : null,
    onSort: () => change({ sort: byClicks ? 'newest' : 'clicks' }),
  }
  const created: Column<LinkView>['sort'] = {
    direction: byClicks ? null : newestFirst,
    onSort: () => change({ sort: view.sort === 'newest' ? 'oldest' : 'newest' }),
  }
  return {
    clicks: {
      key: 'clicks',
      title: t('column.clicks'),
      numeric: true,
      width: 'wide:w-24',
      cell: (link) => <Clicks link={link} />,
      unit: (link) => t('clicksUnit', { count: link.clicks }),
      sort: deleted ? undefined : clicks,
    },
    state: { key: 'state', title: t('column.state'), narrow: 'below', width: 'wide:w-32', cell: (link) => <State link={link} /> },
    created: {
      key: 'created',
      title: t(deleted ? 'column.deleted' : 'column.created'),
      narrow: 'end',
      width: 'wide:w-32',
      cell: ({ createdAt, deletedAt }) => <QuietMoment iso={deletedAt ?? createdAt} />,
      sort: deleted ? undefined : created,
    },
  }
}

/** Sorts the list where its titles do not: on a phone, and where links are cards. */
export function ListSorting({ control: { view, change } }: { control: LinksControl }) {
  const t = useTranslations('linkList')
  const options = LINK_SORTS.map((value) => ({ value, label: t(`sorting.${value}`) }))
  return <Select label={t('sorting.label')} value={view.sort} options={options} onChange={(sort) => change({ sort })} />
}

/** Titles and destinations are what people typed: kept to their own direction and place. */
export function TitleAndDestination({ link }: { link: LinkView }) {
  return (
    <p className="truncate text-muted wide:text-[13px]" title={link.url}>
      <Favicon of={link} className="mr-1.5 align-[-3px]" />
      {link.title && (
        <>
          <bdi className="font-medium text-fg">{link.title}</bdi> ·{' '}
        </>
      )}
      <bdi>{readableUrl(link.url)}</bdi>
    </p>
  )
}

/** Leads to the statistics; those of a deleted link cannot be opened. */
export function Clicks({ link, className }: { link: LinkView; className?: string }) {
  const links = useTranslations('links')
  if (link.deletedAt !== null) return <Amount value={link.clicks} />
  return (
    <Link
      href={statsPath(link)}
      prefetch={false}
      title={links('statisticsOf', { link: readableUrl(link.shortUrl) })}
      className={cx('font-medium underline-offset-4 hover:text-accent hover:underline', className)}
    >
      <Amount value={link.clicks} />
    </Link>
  )
}

export function State({ link }: { link: LinkView }) {
  const links = useTranslations('links')
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5 gap-y-1">
      {link.state === 'active' && <span className="text-[13px] text-muted">{links('badge.active')}</span>}
      <Badges link={link} />
    </span>
  )
}
