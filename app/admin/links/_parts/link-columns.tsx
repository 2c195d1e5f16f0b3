import Link from 'next/link'
import type { Column } from '@/app/_ui/base/data-table'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { Clicks, CreatedAt, State, sortsOf, TitleAndDestination } from '@/app/_ui/links/link-cells'
import { openPath } from '@/app/admin/_parts/use-open-row'
import type { AdminLinkView } from '@/lib/links/schemas'
import type { AllLinksControl } from './view'

/** @param open looks into a link: nothing here leads where it leads, as that may be what is wrong with it */
export function linkColumns(control: AllLinksControl, open: (id: string) => void): Column<AdminLinkView>[] {
  const sorts = sortsOf(control)
  return [
    { key: 'link', title: 'Link', narrow: 'line', cell: (link) => <Name link={link} onOpen={() => open(link.id)} /> },
    { key: 'owner', title: 'Owner', narrow: 'bare', width: 'md:w-36', cell: ({ owner }) => <Owner owner={owner} /> },
    {
      key: 'clicks',
      title: 'Clicks',
      numeric: true,
      width: 'md:w-24',
      cell: (link) => <Clicks link={link} />,
      sort: sorts.clicks,
    },
    { key: 'state', title: 'State', narrow: 'bare', width: 'md:w-28', cell: (link) => <State link={link} /> },
    {
      key: 'created',
      title: control.view.state === 'deleted' ? 'Deleted' : 'Created',
      narrow: 'bare',
      width: 'md:w-32',
      cell: (link) => <CreatedAt link={link} />,
      sort: sorts.created,
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
      <TitleAndDestination link={link} />
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
