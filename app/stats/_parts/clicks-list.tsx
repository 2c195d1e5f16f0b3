import { useEffect, useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { Card } from '@/app/_ui/base/card'
import { cx } from '@/app/_ui/base/cx'
import { useServerData } from '@/app/_ui/data/server-data'
import { getClicks, type LinkAccess, type ScopeAccess } from '@/app/_ui/data/stats'
import type { ClickPage } from '@/lib/stats/schemas'
import { ClickRow } from './click-row'
import { clicksRequestOf } from './request'
import type { ViewControl } from './use-view'

interface Props {
  access: LinkAccess | ScopeAccess
  control: ViewControl
  timezone: string
  news: number
  /** The first page, where the page came with it. */
  first: ClickPage | undefined
}

/** The latest clicks, one by one, a page at a time. */
export function ClicksList(props: Props) {
  // Another view begins with its first page.
  return <Pages key={props.control.key} {...props} />
}

function Pages({ access, control, timezone, news, first: served }: Props) {
  const t = useTranslations('stats')
  const base = useTranslations('base')
  const { view } = control
  /** Where the pages up to this one begin; the first has no cursor. */
  const [cursors, setCursors] = useState<(string | null)[]>([null])
  const cursor = cursors.at(-1) ?? null
  const page = useServerData(
    ['clicks', access, control.key, cursor],
    (signal) => getClicks(access, clicksRequestOf(view, cursor), signal),
    { first: served },
  )
  const { reload } = page
  const first = cursors.length === 1
  // Further back nothing new appears.
  useEffect(() => {
    if (news > 0 && first) reload()
  }, [news, first, reload])
  const next = page.stale ? null : (page.value?.nextCursor ?? null)

  return (
    <Card title={t('clicks.title')} className="lg:col-span-2">
      {page.failure && (
        <p role="alert" className="mb-3 text-sm text-danger">
          {page.failure.message}{' '}
          <Button size="small" look="quiet" onClick={reload}>
            {base('failure.again')}
          </Button>
        </p>
      )}
      {page.value === null ? (
        !page.failure && <div aria-hidden="true" className="skeleton h-64" />
      ) : page.value.clicks.length === 0 ? (
        <p className="py-8 text-center text-sm text-muted">{t('clicks.empty')}</p>
      ) : (
        <ul
          aria-busy={page.stale}
          className={cx('divide-y divide-line border-y border-line transition-opacity', page.stale && 'opacity-60')}
        >
          {page.value.clicks.map((click) => (
            <ClickRow key={click.id} click={click} timezone={timezone} />
          ))}
        </ul>
      )}
      {(next || !first) && (
        <nav aria-label={t('clicks.pages')} className="mt-4 flex gap-3">
          <Button size="small" disabled={first} onClick={() => setCursors(cursors.slice(0, -1))}>
            {t('clicks.newer')}
          </Button>
          <Button size="small" disabled={!next} onClick={() => next && setCursors([...cursors, next])}>
            {t('clicks.older')}
          </Button>
        </nav>
      )}
    </Card>
  )
}
