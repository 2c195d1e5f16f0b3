import Link from 'next/link'
import { useTranslations } from '#i18n'
import { Amount } from '@/app/_ui/base/amount'
import { Card } from '@/app/_ui/base/card'
import { readableUrl } from '@/app/_ui/data/readable-url'
import type { ClickKind } from '@/lib/clicks/dimensions'
import type { ScopeStats } from '@/lib/scopes/schemas'
import { encodePath } from '@/lib/tools/encode-path'

/** Which of the links have the most of these clicks, each leading to its own statistics. */
export function TopLinks({ stats: { top, topIsComplete }, kind }: { stats: ScopeStats; kind: ClickKind }) {
  const t = useTranslations('stats')
  const unit = <span className="text-[13px] text-muted">{t(`kind.${kind}.clicks`)}</span>
  return (
    <Card title={t('scope.top')} action={unit}>
      {top.length === 0 ? (
        <p className="py-8 text-center text-sm text-muted">{t('panel.empty')}</p>
      ) : (
        <ol className="-mx-2 gap-x-8 lg:columns-2">
          {top.map(({ link, clicks }) => (
            <li key={link.id} className="break-inside-avoid">
              <Link
                href={pathOf(link)}
                prefetch={false}
                className="flex min-h-11 items-center gap-4 rounded-control px-2 py-1.5 text-sm hover:bg-bg"
              >
                <span className="min-w-0 flex-1">
                  <span className="block truncate font-medium text-accent">
                    <bdi>{readableUrl(link.shortUrl)}</bdi>
                  </span>
                  <span className="block truncate text-[13px] text-muted">
                    <bdi>{link.title || readableUrl(link.url)}</bdi>
                  </span>
                </span>
                <Amount value={clicks} className="shrink-0 font-medium tabular-nums" />
              </Link>
            </li>
          ))}
        </ol>
      )}
      {!topIsComplete && <p className="mt-3 text-[13px] text-muted">{t('scope.topPartial')}</p>}
    </Card>
  )
}

/** With the domain, as the server that writes the page cannot tell which one it has in a browser. */
const pathOf = ({ code, domain }: { code: string; domain: string }) =>
  `/stats/${encodePath(code)}?${new URLSearchParams({ domain })}`
