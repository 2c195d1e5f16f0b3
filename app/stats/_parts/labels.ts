import { useTranslations } from '#i18n'
import { useFormat } from '@/app/_ui/data/format'
import { readableUrl } from '@/app/_ui/data/readable-url'
import type { Stats } from '@/lib/stats/schemas'
import type { Facet } from '@/lib/stats/values'

/** Clicks of values beyond those that are counted each for itself. Of sources they are those of referrers. */
export const othersOf = (stats: Stats, facet: Facet) => stats.others[facet === 'source' ? 'referrer' : facet]

const DEVICES = ['desktop', 'mobile', 'tablet', 'tv', 'other'] as const

/** What turns a value of a facet into words. */
export function useValueName(): (facet: Facet, value: string) => string {
  const t = useTranslations('stats')
  const format = useFormat()
  return (facet, value) => {
    if (value === '') return t(facet === 'source' || facet === 'referrer' ? 'value.direct' : 'value.unknown')
    if (facet === 'country') return format.country(value)
    if (facet === 'language') return format.language(value)
    if (facet === 'destination') return readableUrl(value)
    const device = facet === 'device' && DEVICES.find((known) => known === value)
    return device ? t(`device.${device}`) : value
  }
}
