import Link from 'next/link'
import { useTranslations } from '#i18n'
import { Amount } from '@/app/_ui/base/amount'
import { Card } from '@/app/_ui/base/card'
import { readableUrl } from '@/app/_ui/data/readable-url'
import type { LinkView } from '@/lib/links/schemas'
import { Favicon } from './favicon'
import { statsPath } from './stats-path'

interface Props {
  title: string
  rows: readonly { link: LinkView; clicks: number }[]
  /** Said in place of no rows. */
  empty: string
}

interface ListsProps {
  top: Props['rows']
  newest: readonly LinkView[]
  /** Said in place of no links at all. */
  none: string
}

/** The links that were clicked most, beside the newest. */
export function LinkLists({ top, newest, none }: ListsProps) {
  const t = useTranslations('overview')
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <LinkList title={t('links.top')} rows={top} empty={t('links.topNone')} />
      <LinkList title={t('links.newest')} rows={newest.map((link) => ({ link, clicks: link.clicks }))} empty={none} />
    </div>
  )
}

/** A few links with their clicks, each leading to its statistics. */
function LinkList({ title, rows, empty }: Props) {
  const t = useTranslations('overview')
  return (
    <Card title={title}>
      {rows.length === 0 ? (
        <p className="py-6 text-center text-sm text-muted">{empty}</p>
      ) : (
        <ol className="-mx-2">
          {rows.map(({ link, clicks }) => (
            <li key={link.id}>
              <Link
                href={statsPath(link)}
                prefetch={false}
                className="flex items-center gap-4 rounded-control px-2 py-2 text-sm hover:bg-bg"
              >
                <span className="min-w-0 flex-1">
                  <span className="block truncate font-medium text-accent">{readableUrl(link.shortUrl)}</span>
                  <span className="block truncate text-[13px] text-muted">
                    <Favicon of={link} className="mr-1.5 align-[-3px]" />
                    <bdi>{link.title || readableUrl(link.url)}</bdi>
                  </span>
                </span>
                <span className="shrink-0 text-right">
                  <Amount value={clicks} className="block font-medium tabular-nums" />
                  <span className="block text-[13px] text-muted">{t('clicks.unit', { count: clicks })}</span>
                </span>
              </Link>
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}
