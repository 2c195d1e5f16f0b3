import Link from 'next/link'
import { useTranslations } from '#i18n'
import type { Column } from '@/app/_ui/base/data-table'
import { ShortName } from '@/app/_ui/base/short-name'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { TitleAndDestination, useListColumns } from '@/app/_ui/links/link-cells'
import { RowName } from '@/app/admin/_parts/row-name'
import { openPath } from '@/app/admin/_parts/use-open-row'
import type { AdminLinkView } from '@/lib/links/schemas'
import type { AllLinksControl } from './view'

/** @param open looks into a link: nothing here leads where it leads, as that may be what is wrong with it */
export function useLinkColumns(control: AllLinksControl, open: (id: string) => void): Column<AdminLinkView>[] {
  const t = useTranslations('admin.links')
  const { clicks, state, created } = useListColumns(control)
  return [
    {
      key: 'link',
      title: t('column.link'),
      narrow: 'line',
      cell: (link) => (
        <RowName name={<ShortName name={readableUrl(link.shortUrl)} />} onOpen={() => open(link.id)}>
          <TitleAndDestination link={link} />
        </RowName>
      ),
    },
    {
      key: 'owner',
      title: t('column.owner'),
      narrow: 'line',
      width: 'md:w-28 lg:w-36',
      cell: ({ owner }) => <Owner owner={owner} />,
    },
    clicks,
    state,
    created,
  ]
}

function Owner({ owner }: { owner: AdminLinkView['owner'] }) {
  const t = useTranslations('admin.links')
  if (owner === null) return <span className="text-[13px] text-muted">{t('noAccount')}</span>
  return (
    <Link
      href={openPath('accounts', owner.id)}
      prefetch={false}
      title={t('ownerHandle', { name: owner.name, handle: owner.handle })}
      className="block max-w-40 truncate text-[13px] underline-offset-4 hover:text-accent hover:underline"
    >
      <bdi>{owner.name || owner.handle}</bdi>
    </Link>
  )
}
