import { CalendarRange, ListFilter, Share2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { cx } from '@/app/_ui/base/cx'
import type { LinkAccess, ScopeAccess, StatsAccess } from '@/app/_ui/data/stats'
import type { Stats } from '@/lib/stats/schemas'
import { ComparePicker } from './compare-picker'
import { ExportMenu } from './export-menu'
import { RangeDialog } from './range-dialog'
import { SegmentsDialog } from './segments-dialog'
import { ShareDialog } from './share-dialog'
import type { ViewControl } from './use-view'
import { PRESETS } from './view'

interface Props {
  access: StatsAccess
  stats: Stats
  control: ViewControl
}

/** When, and for taking along. */
export function Toolbar({ access, stats, control }: Props) {
  return (
    <div className="flex flex-col gap-3 lg:flex-row lg:items-center lg:justify-between">
      <RangePicker stats={stats} control={control} />
      <div className="flex min-w-0 flex-wrap items-center gap-2 sm:gap-3">
        <ComparePicker stats={stats} control={control} />
        {!('shared' in access) && (
          <>
            <SegmentsButton control={control} />
            <ExportMenu access={access} view={control.view} />
            {isOwn(access) && <ShareButton access={access} />}
          </>
        )}
      </div>
    </div>
  )
}

/** Of an account, whose session opens it: a link's key shares nothing. */
const isOwn = (access: LinkAccess | ScopeAccess) => !('code' in access) || Object.keys(access.headers).length === 0

function ShareButton({ access }: { access: LinkAccess | ScopeAccess }) {
  const t = useTranslations('stats.share')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button size="small" className="max-sm:flex-1" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Share2 aria-hidden="true" className="size-4" />
        {t('action')}
      </Button>
      {open && <ShareDialog access={access} onClose={() => setOpen(false)} />}
    </>
  )
}

function SegmentsButton({ control }: { control: ViewControl }) {
  const t = useTranslations('stats')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button size="small" className="max-sm:flex-1" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <ListFilter aria-hidden="true" className="size-4" />
        {t('segments.title')}
      </Button>
      {open && <SegmentsDialog control={control} onClose={() => setOpen(false)} />}
    </>
  )
}

function RangePicker({ stats, control: { view, change } }: Omit<Props, 'access'>) {
  const t = useTranslations('stats')
  const [choosing, setChoosing] = useState(false)
  const look = (chosen: boolean) =>
    cx(
      'inline-flex h-11 items-center justify-center gap-1.5 rounded-[7px] px-2.5 text-sm font-medium whitespace-nowrap transition-colors sm:h-8',
      chosen ? 'bg-accent text-accent-fg' : 'text-muted hover:bg-bg hover:text-fg',
    )
  return (
    <fieldset className="grid grid-cols-4 gap-0.5 rounded-control border border-line bg-surface p-0.5 sm:flex sm:self-start">
      <legend className="sr-only">{t('range.label')}</legend>
      {PRESETS.map((range) => (
        <button
          key={range}
          type="button"
          aria-pressed={view.range === range}
          aria-label={t(`range.${range}.long`)}
          title={t(`range.${range}.long`)}
          className={look(view.range === range)}
          // Another range calls for another width of the chart's columns.
          onClick={() => change({ range, from: null, to: null, interval: null })}
        >
          {t(`range.${range}.short`)}
        </button>
      ))}
      <button
        type="button"
        aria-pressed={view.range === 'custom'}
        aria-haspopup="dialog"
        aria-label={t('range.custom.long')}
        className={look(view.range === 'custom')}
        onClick={() => setChoosing(true)}
      >
        <CalendarRange aria-hidden="true" className="hidden size-4 sm:block" />
        {t('range.custom.short')}
      </button>
      {choosing && (
        <RangeDialog
          title={t('range.custom.long')}
          submit={t('dates.apply')}
          from={view.from ?? stats.from}
          to={view.to ?? stats.to}
          onClose={() => setChoosing(false)}
          onChoose={(from, to) => {
            setChoosing(false)
            change({ range: 'custom', from, to, interval: null })
          }}
        />
      )}
    </fieldset>
  )
}
