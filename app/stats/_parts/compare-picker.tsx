import { useState } from 'react'
import { useTranslations } from '#i18n'
import type { Stats } from '@/lib/stats/schemas'
import { COMPARISONS } from '@/lib/stats/values'
import { RangeDialog } from './range-dialog'
import type { ViewControl } from './use-view'

const OPTIONS = ['previous', 'year', 'custom', 'none'] as const

/** What the range is compared with. */
export function ComparePicker({ stats, control: { view, change } }: { stats: Stats; control: ViewControl }) {
  const t = useTranslations('stats')
  const [choosing, setChoosing] = useState(false)
  const { compare } = view
  const own = typeof compare === 'object'
  const choose = (value: string) => {
    if (value === 'custom') return setChoosing(true)
    const found = COMPARISONS.find((it) => it === value)
    if (found) change({ compare: found })
  }
  return (
    <>
      <select
        aria-label={t('compare.label')}
        value={own ? 'own' : compare}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        className="h-11 min-w-0 rounded-control border border-line-strong bg-surface px-2 text-sm text-fg max-sm:w-full sm:h-9"
      >
        {/* Chosen once more, it can be changed: a select says nothing of an option that is on already. */}
        {own && <option value="own">{t('compare.own')}</option>}
        {OPTIONS.map((value) => (
          <option key={value} value={value}>
            {t(`compare.${value}`)}
          </option>
        ))}
      </select>
      {choosing && (
        <RangeDialog
          title={t('compare.label')}
          submit={t('compare.submit')}
          from={own ? compare.from : (stats.previous?.from ?? stats.from)}
          to={own ? compare.to : (stats.previous?.to ?? stats.to)}
          onClose={() => setChoosing(false)}
          onChoose={(from, to) => {
            setChoosing(false)
            change({ compare: { from, to } })
          }}
        />
      )}
    </>
  )
}
