import { useTranslations } from '#i18n'
import { Card } from '@/app/_ui/base/card'
import { Moment } from '@/app/_ui/base/moment'
import { useFormat } from '@/app/_ui/data/format'
import { Fact, Facts } from '@/app/admin/_parts/facts'
import type { Health } from '@/lib/overview/health'
import type { SystemView } from '@/lib/overview/schemas'
import { CARDS } from './cards'
import { Figure, WorstState } from './figure'

interface Props {
  copies: NonNullable<SystemView['copies']>
  health: Health
}

/** The copy of all links that is put elsewhere each night. */
export function CopiesCard({ copies: { to, finishedAt, bytes, nextAt, failedAt, failure }, health }: Props) {
  const t = useTranslations('system')
  const format = useFormat()
  return (
    <Card title={t('card.copies')} action={<WorstState of={CARDS.copies} health={health} />} className="md:col-span-2">
      <Facts>
        <Figure name="copy" health={health}>
          {finishedAt === null ? t('copies.none') : <Moment iso={finishedAt} exact />}
        </Figure>
        {failedAt !== null && (
          <Fact name={t('copies.failed')}>
            <Moment iso={failedAt} exact />
            <bdi className="block text-danger text-anywhere">{failure}</bdi>
          </Fact>
        )}
        {finishedAt !== null && <Fact name={t('copies.size')}>{format.bytes(bytes)}</Fact>}
        <Fact name={t('copies.next')}>{Date.parse(nextAt) > Date.now() ? <Moment iso={nextAt} exact /> : t('copies.now')}</Fact>
        <Fact name={t('copies.to')}>
          <bdi className="text-anywhere">{to}</bdi>
        </Fact>
      </Facts>
    </Card>
  )
}
