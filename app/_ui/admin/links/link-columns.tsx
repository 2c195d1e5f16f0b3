import Link from 'next/link'
import { Amount } from '@/app/_ui/base/amount'
import type { Column } from '@/app/_ui/base/data-table'
import { readableUrl } from '@/app/_ui/data/idn'
import { Badges } from '@/app/_ui/links/badges'
import { statsPath } from '@/app/_ui/links/stats-path'
import type { AdminLinkView } from '@/lib/admin/schemas'
import { Moment } from '../base/moment'
import { openPath } from '../base/use-open'
import type { AllLinksControl } from './view'

/** @param open looks into a link: nothing here leads where it leads, as that may be what is wrong with it */
export function linkColumns({ view, change }: AllLinksControl, open: (id: string) => void): Column<AdminLinkView>[] {
  const deleted = view.state === 'deleted'
  const byClicks = view.sort === 'clicks'
  return [
    { key: 'link', title: 'Link', narrow: 'line', cell: (link) => <Name link={link} onOpen={() => open(link.id)} /> },
    { key: 'owner', title: 'Owner', narrow: 'bare', width: 'md:w-36', cell: ({ owner }) => <Owner owner={owner} /> },
    {
      key: 'clicks',
      title: 'Clicks',
      numeric: true,
      width: 'md:w-24',
      cell: (link) => (deleted ? <Amount value={link.clicks} /> : <Clicks link={link} />),
      ...(!deleted && {
        sort: {
          direction: byClicks ? ('descending' as const) : null,
          onSort: () => change({ sort: byClicks ? 'newest' : 'clicks' }),
        },
      }),
    },
    { key: 'state', title: 'State', narrow: 'bare', width: 'md:w-28', cell: (link) => <State link={link} /> },
    {
      key: 'created',
      title: deleted ? 'Deleted' : 'Created',
      narrow: 'bare',
      width: 'md:w-32',
      cell: ({ createdAt, deletedAt }) => (
        <span className="text-[13px] text-muted">
          <Moment iso={deletedAt ?? createdAt} />
        </span>
      ),
      ...(!deleted && {
        sort: {
          direction: byClicks ? null : view.sort === 'oldest' ? ('ascending' as const) : ('descending' as const),
          onSort: () => change({ sort: view.sort === 'newest' ? 'oldest' : 'newest' }),
        },
      }),
    },
  ]
}

function Name({ link, onOpen }: { link: AdminLinkView; onOpen: () => void }) {
  return (
    <div className="min-w-0">
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={onOpen}
        className="line-clamp-2 text-left font-medium text-accent underline-offset-4 text-anywhere hover:underline"
      >
        {readableUrl(link.shortUrl)}
      </button>
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

function Owner({ owner }: { owner: AdminLinkView['owner'] }) {
  if (owner === null) return <span className="text-[13px] text-muted">No account</span>
  return (
    <Link
      href={openPath('accounts', owner.id)}
      prefetch={false}
      title={`${owner.name}, ${owner.handle}`}
      className="block max-w-40 truncate text-[13px] underline-offset-4 hover:text-accent hover:underline"
    >
      <bdi>{owner.name || owner.handle}</bdi>
    </Link>
  )
}

function Clicks({ link }: { link: AdminLinkView }) {
  return (
    <Link
      href={statsPath(link)}
      prefetch={false}
      title={`Statistics of ${readableUrl(link.shortUrl)}`}
      className="font-medium underline-offset-4 hover:text-accent hover:underline"
    >
      <Amount value={link.clicks} />
    </Link>
  )
}

export function State({ link }: { link: AdminLinkView }) {
  const plain = link.state === 'active' && !link.hasPassword && !link.listed
  return (
    <span className="inline-flex flex-wrap gap-1">
      {plain ? <span className="text-[13px] text-muted">Active</span> : <Badges link={link} />}
    </span>
  )
}
