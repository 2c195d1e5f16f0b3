import Link from 'next/link'
import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Badge } from '@/app/_ui/base/badge'
import { Button } from '@/app/_ui/base/button'
import { Card } from '@/app/_ui/base/card'
import { ConfirmDialog } from '@/app/_ui/base/confirm-dialog'
import { Moment } from '@/app/_ui/base/moment'
import { removeDomain, updateDomain } from '@/app/_ui/data/admin'
import { useFormat } from '@/app/_ui/data/format'
import { Fact, Facts } from '@/app/admin/_parts/facts'
import { useAct } from '@/app/admin/_parts/use-act'
import type { DomainView } from '@/lib/domains/schemas'
import { unicodeHost } from '@/lib/net/shown-host'
import { Proof } from './proof'
import { RedirectsDialog } from './redirects-dialog'

interface Props {
  domain: DomainView
  onChanged: () => void
}

export function DomainCard({ domain, onChanged }: Props) {
  const t = useTranslations('admin.domains')
  const format = useFormat()
  const { act, confirmed } = useAct()
  const [asking, setAsking] = useState<'redirects' | 'delete' | null>(null)
  const name = unicodeHost(domain.host)
  const close = () => setAsking(null)
  const makeDefault = async () => {
    await act(updateDomain(domain.id, { isDefault: true }), {
      done: t('isDefault', { name }),
      failed: t('notDefault', { name }),
    })
    onChanged()
  }
  const remove = () => confirmed(removeDomain(domain.id), t('delete.done', { name }), { onDone: onChanged })
  return (
    <Card
      title={
        <span className="flex flex-wrap items-center gap-2 text-anywhere">
          <bdi title={domain.host}>{name}</bdi>
          {domain.isDefault && <Badge tone="ok">{t('badge.default')}</Badge>}
          {domain.isBase && <Badge>{t('badge.base')}</Badge>}
          {domain.verifiedAt === null && <Badge tone="warn">{t('badge.unverified')}</Badge>}
        </span>
      }
      action={
        <div className="flex flex-wrap gap-2">
          {domain.verifiedAt !== null && !domain.isDefault && (
            <Button size="small" aria-label={t('action.makeDefaultName', { name })} onClick={makeDefault}>
              {t('action.makeDefault')}
            </Button>
          )}
          <Button size="small" aria-label={t('action.redirectsName', { name })} onClick={() => setAsking('redirects')}>
            {t('action.redirects')}
          </Button>
          {!domain.isBase && (
            <Button size="small" look="danger" aria-label={t('action.deleteName', { name })} onClick={() => setAsking('delete')}>
              {t('action.delete')}
            </Button>
          )}
        </div>
      }
    >
      {domain.verifiedAt === null && <Proof domain={domain} name={name} onVerified={onChanged} />}
      <Facts>
        <Fact name={t('fact.links')}>
          <Link
            href={`/admin/links?${new URLSearchParams({ domain: domain.host })}`}
            prefetch={false}
            className="text-accent underline-offset-4 hover:underline"
          >
            {format.number(domain.links)}
          </Link>
        </Fact>
        {!domain.isBase && <Fact name={t('fact.root')}>{domain.rootUrl ? <bdi>{domain.rootUrl}</bdi> : t('fact.thisSite')}</Fact>}
        <Fact name={t('fact.notFound')}>{domain.notFoundUrl ? <bdi>{domain.notFoundUrl}</bdi> : t('fact.notFoundPage')}</Fact>
        <Fact name={t('fact.added')}>
          <Moment iso={domain.createdAt} />
        </Fact>
      </Facts>
      {asking === 'redirects' && <RedirectsDialog domain={domain} name={name} onSaved={onChanged} onClose={close} />}
      {asking === 'delete' && (
        <ConfirmDialog title={t('delete.title', { name })} action={t('action.delete')} danger onConfirm={remove} onClose={close}>
          <p>{t('delete.text')}</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}
