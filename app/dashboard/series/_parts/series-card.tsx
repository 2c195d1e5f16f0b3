import { useTranslations } from '#i18n'
import { Badge } from '@/app/_ui/base/badge'
import { Button } from '@/app/_ui/base/button'
import type { SeriesView } from '@/lib/series/schemas'
import { numberLike } from './new-series'

interface Props {
  series: SeriesView
  onOpen: (dialog: 'numbers' | 'links' | 'sheet' | 'delete') => void
}

/** One series, and what can be done with it. */
export function SeriesCard({ series, onOpen }: Props) {
  const t = useTranslations('series')
  const { name, kind } = series
  return (
    <li className="flex min-w-0 flex-col gap-3 rounded-card border border-line bg-surface p-4 sm:p-5">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <h2 className="min-w-0 text-[15px] font-semibold text-anywhere">{name}</h2>
        <Badge>{t(`kind.${kind}`)}</Badge>
      </div>
      <p className="text-sm text-muted">
        <About series={series} />
      </p>
      <p className="text-[13px] text-muted">
        {t('new.example')} <span className="font-mono text-fg text-anywhere">{numberLike(series)}</span>
      </p>
      <div className="mt-auto flex flex-wrap gap-2 pt-1">
        <Button size="small" onClick={() => onOpen('numbers')} aria-label={t('numbers.of', { name })}>
          {t('numbers.open')}
        </Button>
        <Button size="small" onClick={() => onOpen('links')} aria-label={t('links.of', { name })}>
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
