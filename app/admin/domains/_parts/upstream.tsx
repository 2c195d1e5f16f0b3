import { useState } from 'react'
import { useTranslations } from '#i18n'
import { ConfirmDialog } from '@/app/_ui/base/confirm-dialog'
import { Moment } from '@/app/_ui/base/moment'
import { updateDomain } from '@/app/_ui/data/admin'
import { Fact, FactAction } from '@/app/admin/_parts/facts'
import { useAct } from '@/app/admin/_parts/use-act'
import type { DomainView } from '@/lib/domains/schemas'
import { UpstreamDialog } from './upstream-dialog'

interface Props {
  domain: DomainView
  name: string
  onChanged: () => void
}

/** The old shortener of a domain, and what came over from it. */
export function UpstreamFact({ domain, name, onChanged }: Props) {
  const t = useTranslations('admin.domains.upstream')
  const fact = useTranslations('admin.domains.fact')
  const { confirmed } = useAct()
  const [asking, setAsking] = useState<'edit' | 'end' | null>(null)
  const { upstream } = domain
  const close = () => setAsking(null)
  const end = () => confirmed(updateDomain(domain.id, { upstream: null }), t('ending.done', { name }), { onDone: onChanged })
  return (
    <Fact name={fact('upstream')}>
      <span className="flex flex-wrap items-center justify-end gap-x-6">
        {upstream ? <bdi>{upstream.url}</bdi> : t('none')}
        <FactAction label={t(upstream ? 'editName' : 'setName', { name })} onClick={() => setAsking('edit')}>
          {t(upstream ? 'edit' : 'set')}
        </FactAction>
        {upstream && (
          <FactAction label={t('endName', { name })} onClick={() => setAsking('end')}>
            {t('end')}
          </FactAction>
        )}
      </span>
      {upstream && <CameOver upstream={upstream} />}
      {asking === 'edit' && <UpstreamDialog domain={domain} name={name} onSaved={onChanged} onClose={close} />}
      {asking === 'end' && (
        <ConfirmDialog title={t('ending.title')} action={t('end')} onConfirm={end} onClose={close}>
          <p>{t('ending.text')}</p>
        </ConfirmDialog>
      )}
    </Fact>
  )
}

function CameOver({ upstream }: { upstream: NonNullable<DomainView['upstream']> }) {
  const t = useTranslations('admin.domains.upstream')
  const { imported, importedBy, lastImportedAt, unknown, refused, redirectedOnly, busy, failed, lastFailure, isQuiet } = upstream
  const others = unknown + refused + redirectedOnly + busy
  return (
    <div className="mt-1 space-y-0.5 text-[13px] text-muted">
      <p className="text-fg">
        {t('came', { count: imported })}
        {lastImportedAt && (
          <>
            {' ('}
            {t('last')} <Moment iso={lastImportedAt} exact />)
          </>
        )}
      </p>
      {imported > 0 && <p>{t('by', importedBy)}</p>}
      {others > 0 && <p>{t('other', { unknown, refused, kept: redirectedOnly, busy })}</p>}
      {lastFailure && (
        <p className="text-danger">
          {t('failed', { count: failed, why: t(`why.${lastFailure.why}`) })} (<Moment iso={lastFailure.at} exact />)
        </p>
      )}
      {isQuiet && <p className="text-fg">{t('quiet')}</p>}
    </div>
  )
}
