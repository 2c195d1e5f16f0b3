import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { Dialog } from '@/app/_ui/base/dialog'
import { TextField } from '@/app/_ui/base/field'
import { useFormat } from '@/app/_ui/data/format'
import { useServerData } from '@/app/_ui/data/server-data'
import { getStats, type StatsAccess } from '@/app/_ui/data/stats'
import type { Stats } from '@/lib/stats/schemas'
import type { Facet } from '@/lib/stats/values'
import { othersOf, useValueName } from './labels'
import { BREAKDOWN_LIMIT, requestOf } from './request'
import type { ViewControl } from './use-view'
import { ValueRows } from './value-rows'

const MOST = 1000

interface Props {
  facet: Facet
  access: StatsAccess
  stats: Stats
  control: ViewControl
  onClose: () => void
}

/** All values of a breakdown, up to a thousand, to look one up in. */
export function ValuesDialog({ facet, access, stats, control, onClose }: Props) {
  const t = useTranslations('stats')
  const base = useTranslations('base')
  const valueName = useValueName()
  const [search, setSearch] = useState('')
  const loaded = stats.breakdown[facet]
  const complete = loaded.length < BREAKDOWN_LIMIT
  const all = useServerData(['values', access, control.key, complete], async (signal) =>
    complete ? { ok: true, value: stats } : await getStats(access, { ...requestOf(control.view), limit: MOST }, signal),
  )
  const values = (complete ? stats : (all.value ?? stats)).breakdown[facet]
  const { locale } = useFormat()
  const folded = (text: string) => text.toLocaleLowerCase(locale)
  const wanted = folded(search.trim())
  const found = values.filter(({ value }) => [value, valueName(facet, value)].some((text) => folded(text).includes(wanted)))
  return (
    <Dialog title={t(`facet.${facet}`)} description={t('values.hint')} onClose={onClose}>
      <TextField
        label={t('values.search')}
        type="search"
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        autoComplete="off"
      />
      <p role="status" className="mt-3 text-[13px] text-muted">
        {!complete && !all.value && !all.failure
          ? t('values.loading')
          : t(values.length >= MOST ? 'values.foundOfMany' : 'values.found', { found: found.length, total: values.length })}
      </p>
      {all.failure && (
        <p role="alert" className="mt-2 text-sm text-danger">
          {t('values.failed')} {all.failure.message}{' '}
          <Button size="small" look="quiet" onClick={all.reload}>
            {base('failure.again')}
          </Button>
        </p>
      )}
      <div className="mt-2 h-[min(26rem,50dvh)] overflow-y-auto">
        <ValueRows
          facet={facet}
          values={found}
          others={wanted === '' ? othersOf(stats, facet) : undefined}
          total={stats.totals.clicks}
          control={control}
          onChosen={onClose}
        />
      </div>
    </Dialog>
  )
}
