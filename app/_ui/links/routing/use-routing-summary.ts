import { useTranslations } from '#i18n'
import type { RoutingFields } from '@/lib/routing/routing'

/** What rules are set to, in one line; '' for nothing. */
export function useRoutingSummary(): (routing: RoutingFields) => string {
  const t = useTranslations('links.routing')
  return ({ rules, split, query, path, clickId }) =>
    [
      rules && t('rules', { count: rules.length }),
      split && (split.winner === undefined ? t('splitBetween', { count: split.variants.length }) : t('splitOver')),
      query && t(`query.${query}`),
      path && t(`path.${path}`),
      clickId && t('clickId.short'),
    ]
      .filter(Boolean)
      .join(' · ')
}
