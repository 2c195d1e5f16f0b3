import { useTranslations } from '#i18n'
import { Badge } from '@/app/_ui/base/badge'
import { Button } from '@/app/_ui/base/button'
import { Progress } from '@/app/_ui/base/progress'
import { previewSeries } from '@/app/_ui/data/series'
import { useServerData } from '@/app/_ui/data/server-data'
import { isSpokenCode } from '@/lib/codes/reserved'
import type { SeriesView } from '@/lib/series/schemas'
import { isUsedUp, numberLike, sizeOf } from './new-series'

interface Props {
  series: SeriesView
  /** Short numbers cannot be back-halves. */
  keepsNumbers: boolean
  onOpen: (dialog: 'numbers' | 'links' | 'sheet' | 'delete') => void
}

/** One series, and what can be done with it. */
export function SeriesCard({ series, keepsNumbers, onOpen }: Props) {
  const t = useTranslations('series')
  const { name, kind } = series
  const example = numberLike(series)
  const canBeLinks = !(keepsNumbers && isSpokenCode(example))
  const size = sizeOf(series)
  const preview = useServerData(['series', name, 'preview'], (signal) => previewSeries(name, signal), { enabled: size !== null })
  const left = preview.value?.left ?? null
  return (
    <li className="flex min-w-0 flex-col gap-3 rounded-card border border-line bg-surface p-4 sm:p-5">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <h2 className="min-w-0 text-[15px] font-semibold text-anywhere">{name}</h2>
        <Badge>{t(`kind.${kind}`)}</Badge>
        {left === 0 && <Badge tone="warn">{isUsedUp(series, left) ? t('left.usedUp') : t('left.noneFree')}</Badge>}
      </div>
      <p className="text-sm text-muted">
        <About series={series} />
      </p>
      <p className="text-[13px] text-muted">
        {t('new.example')} <span className="font-mono text-fg text-anywhere">{example}</span>
      </p>
      {size !== null && left !== null && (
        <div className="space-y-1.5">
          <p className="text-[13px] text-muted tabular-nums">{t('left.of', { left, size })}</p>
          <Progress label={t('left.label', { name })} done={size - left} total={size} />
        </div>
      )}
      {!canBeLinks && <p className="text-[13px] text-warn">{t('links.reserved', { example })}</p>}
      <div className="mt-auto flex flex-wrap gap-2 pt-1">
        <Button size="small" onClick={() => onOpen('numbers')} aria-label={t('numbers.of', { name })}>
          {t('numbers.open')}
        </Button>
        <Button
          size="small"
          disabled={!canBeLinks || left === 0}
          onClick={() => onOpen('links')}
          aria-label={t('links.of', { name })}
        >
          {t('links.open')}
        </Button>
        <Button size="small" onClick={() => onOpen('sheet')} aria-label={t('sheet.of', { name })}>
          {t('sheet.open')}
        </Button>
        <Button size="small" look="quiet" onClick={() => onOpen('delete')} aria-label={t('delete.of', { name })}>
          {t('delete.open')}
        </Button>
      </div>
    </li>
  )
}

/** What a series gives, in a sentence. */
function About({ series }: { series: SeriesView }) {
  const t = useTranslations('series')
  const { kind, start = 0, max = 0, step = 1, first = 0, rest = null, size = 0, format } = series
  if (kind === 'counter') return t('about.counter', { first, step })
  if (kind === 'shuffled') return t('about.shuffled', { digits: format.digits })
  if (kind === 'bitmap') return t('about.bitmap', { size })
  const range = t('about.cycle', { start, max, step })
  return rest === null ? range : `${range} ${t('about.rest', { hours: Math.round(rest / 3_600) })}`
}
