'use client'

import { ChartColumn } from 'lucide-react'
import type { z } from 'zod'
import { useTranslations } from '#i18n'
import { Button, LinkButton } from '@/app/_ui/base/button'
import { CopyIconButton } from '@/app/_ui/base/copy-button'
import { getAdminLink } from '@/app/_ui/data/admin'
import { useFormat } from '@/app/_ui/data/format'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { useServerData } from '@/app/_ui/data/server-data'
import { ACTION_LOOKS } from '@/app/_ui/links/action-looks'
import { HistoryList } from '@/app/_ui/links/history/history-list'
import { State } from '@/app/_ui/links/link-cells'
import { statsPath } from '@/app/_ui/links/stats-path'
import { AccountLink } from '@/app/admin/_parts/account-link'
import { Destination } from '@/app/admin/_parts/destination'
import { DetailDrawer } from '@/app/admin/_parts/detail-drawer'
import { Fact, Facts, Part, TimeFact } from '@/app/admin/_parts/facts'
import { History } from '@/app/admin/_parts/history'
import { ReportLines } from '@/app/admin/_parts/report-lines'
import type { AdminLinkView } from '@/lib/links/schemas'
import type { AdminLinkDetail } from '@/lib/reports/schemas'
import { routedUrls } from '@/lib/routing/urls'
import { actionsOf, useActionText } from './link-menu'
import { useLinkActions } from './use-link-actions'

interface Props {
  id: string
  onChanged: () => void
  onClose: () => void
}

/** All there is to know of a link, and what can be done with it. */
export function LinkDrawer({ id, onChanged, onClose }: Props) {
  const t = useTranslations('admin.links.drawer')
  const detail = useServerData(['admin link', id], (signal) => getAdminLink(id, signal))
  const changed = () => {
    detail.reload()
    onChanged()
  }
  return (
    <DetailDrawer
      name={t('name')}
      resource={detail}
      head={({ link: { shortUrl, title } }) => ({ title: readableUrl(shortUrl), description: title && <bdi>{title}</bdi> })}
      onClose={onClose}
    >
      {(value) => <Inside detail={value} onChanged={changed} />}
    </DetailDrawer>
  )
}

function Inside({
  detail: { link, reports, history },
  onChanged,
}: {
  detail: z.infer<typeof AdminLinkDetail>
  onChanged: () => void
}) {
  const t = useTranslations('admin.links.drawer')
  const links = useTranslations('links')
  const actionText = useActionText()
  const actions = useLinkActions(onChanged)
  return (
    <>
      <Destination url={link.url} />
      <div className="mt-4 flex flex-wrap items-center gap-2">
        {link.state !== 'deleted' && (
          <LinkButton href={statsPath(link)} prefetch={false} size="small">
            <ChartColumn aria-hidden="true" className="size-4" />
            {links('action.statistics')}
          </LinkButton>
        )}
        {actionsOf(link).map((action) => {
          const { icon: Icon, danger } = ACTION_LOOKS[action]
          return (
            <Button key={action} size="small" look={danger ? 'danger' : 'secondary'} onClick={() => actions.run(link, action)}>
              <Icon aria-hidden="true" className="size-4" />
              {actionText(action)}
            </Button>
          )
        })}
      </div>
      <Part title={t('details')}>
        <LinkFacts link={link} />
      </Part>
      <Part title={t('reports')}>
        <ReportLines reports={reports} empty={t('noReports')} />
      </Part>
      {link.state !== 'deleted' && (
        <Part title={links('history.label')}>
          <HistoryList link={{ code: link.code, domain: link.domain, manageToken: null }} createdAt={link.createdAt} />
        </Part>
      )}
      <Part title={t('history')}>
        <History entries={history} />
      </Part>
      {actions.dialog}
    </>
  )
}

function LinkFacts({ link }: { link: AdminLinkView }) {
  const t = useTranslations('admin.links')
  const format = useFormat()
  const others = routedUrls(link.routing)
  return (
    <Facts>
      <Fact name={t('fact.shortUrl')}>
        <span className="inline-flex items-center gap-1">
          {link.shortUrl}
          <span className="-my-2.5 -mr-2.5">
            <CopyIconButton text={link.shortUrl} name={t('fact.copyName')} />
          </span>
        </span>
      </Fact>
      <Fact name={t('fact.state')}>
        <State link={link} />
      </Fact>
      {link.banReason && (
        <Fact name={t('fact.banReason')}>
          <bdi>{link.banReason}</bdi>
        </Fact>
      )}
      <Fact name={t('fact.owner')}>
        {link.owner ? <AccountLink id={link.owner.id} name={link.owner.name || link.owner.handle} /> : t('noAccount')}
      </Fact>
      <Fact name={t('fact.clicks')}>{format.number(link.clicks)}</Fact>
      <TimeFact name={t('fact.created')} iso={link.createdAt} />
      <TimeFact name={t('fact.edited')} iso={link.updatedAt} />
      <TimeFact name={t('fact.deleted')} iso={link.deletedAt} />
      <TimeFact name={t('fact.starts')} iso={link.startsAt} />
      <TimeFact name={t('fact.expires')} iso={link.expiresAt} />
      {link.expiredUrl && (
        <Fact name={t('fact.expiredUrl')}>
          <bdi>{link.expiredUrl}</bdi>
        </Fact>
      )}
      {others.length > 0 && (
        <Fact name={t('fact.rules')}>
          {others.map(({ path, url }) => (
            <bdi key={path} className="block">
              {url}
            </bdi>
          ))}
        </Fact>
      )}
      {link.maxClicks !== null && <Fact name={t('fact.clickLimit')}>{format.number(link.maxClicks)}</Fact>}
      <Fact name={t('fact.redirect')}>{link.redirectStatus}</Fact>
      <Fact name={t('fact.id')}>{link.id}</Fact>
    </Facts>
  )
}
