import Link from 'next/link'
import { useState } from 'react'
import { Badge } from '@/app/_ui/base/badge'
import { Button } from '@/app/_ui/base/button'
import { Card } from '@/app/_ui/base/card'
import { ConfirmDialog } from '@/app/_ui/base/confirm-dialog'
import { Moment } from '@/app/_ui/base/moment'
import { removeDomain, updateDomain } from '@/app/_ui/data/admin'
import { formatNumber } from '@/app/_ui/data/numbers'
import { act, confirmed } from '@/app/admin/_parts/act'
import { Fact, Facts } from '@/app/admin/_parts/facts'
import type { DomainView } from '@/lib/domains/schemas'
import { unicodeHost } from '@/lib/net/shown-host'
import { Proof } from './proof'
import { RedirectsDialog } from './redirects-dialog'

interface Props {
  domain: DomainView
  onChanged: () => void
}

export function DomainCard({ domain, onChanged }: Props) {
  const [asking, setAsking] = useState<'redirects' | 'remove' | null>(null)
  const name = unicodeHost(domain.host)
  const close = () => setAsking(null)
  const makeDefault = async () => {
    await act(updateDomain(domain.id, { isDefault: true }), {
      done: `New links are made on ${name}`,
      failed: `${name} is not the default`,
    })
    onChanged()
  }
  const remove = () => confirmed(removeDomain(domain.id), `${name} is removed`, { onDone: onChanged })
  return (
    <Card
      title={
        <span className="flex flex-wrap items-center gap-2 text-anywhere">
          <bdi title={domain.host}>{name}</bdi>
          {domain.isDefault && <Badge tone="ok">Default</Badge>}
          {domain.isBase && <Badge>This site</Badge>}
          {domain.verifiedAt === null && <Badge tone="warn">Not verified</Badge>}
        </span>
      }
      action={
        <div className="flex flex-wrap gap-2">
          {domain.verifiedAt !== null && !domain.isDefault && (
            <Button size="small" onClick={makeDefault}>
              Make default<span className="sr-only">: {name}</span>
            </Button>
          )}
          <Button size="small" onClick={() => setAsking('redirects')}>
            Redirects<span className="sr-only"> of {name}</span>
          </Button>
          {!domain.isBase && (
            <Button size="small" look="danger" onClick={() => setAsking('remove')}>
              Remove<span className="sr-only"> {name}</span>
            </Button>
          )}
        </div>
      }
    >
      {domain.verifiedAt === null && <Proof domain={domain} name={name} onVerified={onChanged} />}
      <Facts>
        <Fact name="Links">
          <Link
            href={`/admin/links?${new URLSearchParams({ domain: domain.host })}`}
            prefetch={false}
            className="text-accent underline-offset-4 hover:underline"
          >
            {formatNumber(domain.links)}
          </Link>
        </Fact>
        {!domain.isBase && (
          <Fact name="Its front page leads to">{domain.rootUrl ? <bdi>{domain.rootUrl}</bdi> : 'This site'}</Fact>
        )}
        <Fact name="Unknown codes lead to">{domain.notFoundUrl ? <bdi>{domain.notFoundUrl}</bdi> : 'A page that says so'}</Fact>
        <Fact name="Added">
          <Moment iso={domain.createdAt} />
        </Fact>
      </Facts>
      {asking === 'redirects' && <RedirectsDialog domain={domain} name={name} onSaved={onChanged} onClose={close} />}
      {asking === 'remove' && (
        <ConfirmDialog title={`Remove ${name}?`} action="Remove" danger onConfirm={remove} onClose={close}>
          <p>It is no longer served from then on. Only a domain without links can be removed.</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}
