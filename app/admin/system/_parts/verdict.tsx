import { CircleAlert, CircleCheck } from 'lucide-react'
import { useTranslations } from '#i18n'
import { cx } from '@/app/_ui/base/cx'
import type { Health } from '@/lib/overview/health'
import { CARDS, type Card } from './cards'
import { idOf } from './figure'

/** Which figures need attention, each leading to its place; or that none does. */
export function Verdict({ health }: { health: Health }) {
  const t = useTranslations('system')
  const found = (Object.keys(CARDS) as Card[]).flatMap((card) =>
    CARDS[card].flatMap((figure) => {
      const finding = health[figure]
      // What only waits for Redis is said once, by Redis.
      return finding === null || finding.advice === 'waitsForRedis' ? [] : { card, figure, state: finding.state }
    }),
  )
  const well = found.length === 0
  const look = well
    ? 'bg-ok-soft text-ok'
    : found.some(({ state }) => state === 'problem')
      ? 'bg-danger-soft text-danger'
      : 'bg-warn-soft text-warn'
  const Icon = well ? CircleCheck : CircleAlert
  return (
    <section aria-label={t('verdict.label')} className={cx('flex gap-3 rounded-card px-4 py-3.5 text-sm sm:px-5', look)}>
      <Icon aria-hidden="true" className="mt-px size-5 shrink-0" />
      <div className="min-w-0">
        <p role="status" className="text-[15px] font-semibold">
          {well ? t('verdict.ok') : t('verdict.attention', { count: found.length })}
        </p>
        {!well && (
          <ul className="mt-1 flex flex-wrap gap-x-5">
            {found.map(({ card, figure }) => (
              <li key={figure}>
                <a href={`#${idOf(figure)}`} className="inline-flex min-h-6 items-center underline underline-offset-4">
                  {t('verdict.item', { card: t(`card.${card}`), figure: t(`figure.${figure}`) })}
                </a>
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}
