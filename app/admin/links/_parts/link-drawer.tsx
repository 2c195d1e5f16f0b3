'use client'

import { ChartColumn } from 'lucide-react'
import Link from 'next/link'
import type { z } from 'zod'
import { Button, LinkButton } from '@/app/_ui/base/button'
import { CopyIconButton } from '@/app/_ui/base/copy-button'
import { getAdminLink } from '@/app/_ui/data/admin'
import { formatNumber } from '@/app/_ui/data/numbers'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { useServerData } from '@/app/_ui/data/server-data'
import { State } from '@/app/_ui/links/link-cells'
import { statsPath } from '@/app/_ui/links/stats-path'
import { Destination } from '@/app/admin/_parts/destination'
import { DetailDrawer } from '@/app/admin/_parts/detail-drawer'
import { Fact, Facts, Part, TimeFact } from '@/app/admin/_parts/facts'
import { History } from '@/app/admin/_parts/history'
import { ReportLines } from '@/app/admin/_parts/report-lines'
import { openPath } from '@/app/admin/_parts/use-open-row'
import type { AdminLinkView } from '@/lib/links/schemas'
import type { AdminLinkDetail } from '@/lib/reports/schemas'
import { actionsOf, LOOKS } from './link-menu'
import { useLinkActions } from './use-link-actions'

interface Props {
  id: string
  onChanged: () => void
  onClose: () => void
}

/** All there is to know of a link, and what can be done with it. */
export function LinkDrawer({ id, onChanged, onClose }: Props) {
  const detail = useServerData(['admin link', id], (signal) => getAdminLink(id, signal))
  const changed = () => {
    detail.reload()
    onChanged()
  }
  return (
    <DetailDrawer
      name="Link"
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
  const actions = useLinkActions(onChanged)
  return (
    <>
      <Destination url={link.url} />
      <div className="mt-4 flex flex-wrap items-center gap-2">
        {link.state !== 'deleted' && (
          <LinkButton href={statsPath(link)} prefetch={false} size="small">
            <ChartColumn aria-hidden="true" className="size-4" />
            Statistics
          </LinkButton>
        )}
        {actionsOf(link).map((action) => {
          const { text, icon: Icon, danger } = LOOKS[action]
          return (
            <Button key={action} size="small" look={danger ? 'danger' : 'secondary'} onClick={() => actions.run(link, action)}>
              <Icon aria-hidden="true" className="size-4" />
              {text}
            </Button>
          )
        })}
      </div>
      <Part title="Details">
        <LinkFacts link={link} />
      </Part>
      <Part title="Reports">
        <ReportLines reports={reports} empty="Nobody has reported it." />
      </Part>
      <Part title="What admins did">
        <History entries={history} />
      </Part>
      {actions.dialog}
    </>
  )
}

function LinkFacts({ link }: { link: AdminLinkView }) {
  return (
    <Facts>
      <Fact name="Short link">
        <span className="inline-flex items-center gap-1">
          {link.shortUrl}
          <span className="-my-2.5 -mr-2.5">
            <CopyIconButton text={link.shortUrl} name="the short link" />
          </span>
        </span>
      </Fact>
      <Fact name="State">
        <State link={link} />
      </Fact>
      {link.banReason && (
        <Fact name="Reason of the ban">
          <bdi>{link.banReason}</bdi>
        </Fact>
      )}
      <Fact name="Owner">
        {link.owner ? (
          <Link
            href={openPath('accounts', link.owner.id)}
            prefetch={false}
            className="text-accent underline-offset-4 hover:underline"
          >
            <bdi>{link.owner.name}</bdi>, {link.owner.handle}
          </Link>
        ) : (
          'No account'
        )}
      </Fact>
      <Fact name="Clicks">{formatNumber(link.clicks)}</Fact>
      <TimeFact name="Made" iso={link.createdAt} />
      <TimeFact name="Changed" iso={link.updatedAt} />
      <TimeFact name="Deleted" iso={link.deletedAt} />
      <TimeFact name="Starts" iso={link.startsAt} />
      <TimeFact name="Expires" iso={link.expiresAt} />
      {link.expiredUrl && (
        <Fact name="Leads to after that">
          <bdi>{link.expiredUrl}</bdi>
        </Fact>
      )}
      {link.maxClicks !== null && <Fact name="Click limit">{formatNumber(link.maxClicks)}</Fact>}
      <Fact name="Redirect">{link.redirectStatus}</Fact>
      <Fact name="Number">{link.id}</Fact>
    </Facts>
  )
}
