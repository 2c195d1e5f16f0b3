import { useTranslations } from '#i18n'
import { useFormat } from '@/app/_ui/data/format'
import type { HistoryEntry } from '@/lib/history/schemas'
import type { PreviewSetting } from '@/lib/previews/values'
import type { RoutingFields } from '@/lib/routing/routing'
import { routedUrls } from '@/lib/routing/urls'
import { useRoutingSummary } from '../routing/use-routing-summary'

type Change = HistoryEntry['changes'][number]

/** One field, what it was and what it became. */
export function ChangeLine({ change }: { change: Change }) {
  const t = useTranslations('links.history')
  const textOf = useValueText()
  const { field, from, to } = change
  const [before, after] = [textOf(field, from), textOf(field, to)]
  // Addresses are long: each has its own line.
  const line = field === 'url' || field === 'expiredUrl' ? 'block' : ''
  return (
    <div className="min-w-0">
      <dt className="font-medium">{t(`field.${field}`)}</dt>
      <dd className="text-anywhere">
        {before === null && after !== null ? (
          <bdi>{after}</bdi>
        ) : before === after ? (
          t('changed', { value: after ?? t('none') })
        ) : (
          <>
            <del className={`text-muted decoration-muted/60 ${line}`}>
              <span className="sr-only">{t('from')} </span>
              <bdi>{before}</bdi>
            </del>
            <ins className={`no-underline ${line}`}>
              <span aria-hidden="true" className={line ? 'pr-1.5 text-muted' : 'px-1.5 text-muted'}>
                →
              </span>
              <span className="sr-only"> {t('to')} </span>
              <bdi>{after ?? t('none')}</bdi>
            </ins>
          </>
        )}
        {field === 'routing' && <RoutedTo from={from as RoutingFields | null} to={to as RoutingFields | null} />}
      </dd>
    </div>
  )
}

/** Where rules no longer lead, and where they lead now. */
function RoutedTo({ from, to }: { from: RoutingFields | null; to: RoutingFields | null }) {
  const [before, after] = [urlsOf(from), urlsOf(to)]
  return (
    <ul className="text-[13px]">
      {before
        .filter((url) => !after.includes(url))
        .map((url) => (
          <li key={`from ${url}`}>
            <del className="text-muted decoration-muted/60">
              <bdi>{url}</bdi>
            </del>
          </li>
        ))}
      {after
        .filter((url) => !before.includes(url))
        .map((url) => (
          <li key={`to ${url}`}>
            <ins className="no-underline">
              <bdi>{url}</bdi>
            </ins>
          </li>
        ))}
    </ul>
  )
}

const urlsOf = (routing: RoutingFields | null) => [...new Set(routedUrls(routing).map(({ url }) => url))]

/** What a field says, in words; null for nothing. */
function useValueText(): (field: Change['field'], value: unknown) => string | null {
  const t = useTranslations('links.history')
  const badges = useTranslations('links.badge')
  const format = useFormat()
  const summaryOf = useRoutingSummary()
  const previews = useTranslations('links.preview')
  const cardText = (setting: PreviewSetting) =>
    setting.source === 'destination'
      ? previews('destination')
      : [setting.title, setting.description, setting.image].filter(Boolean).join(' · ')
  return (field, value) => {
    if (field === 'routing') return value ? summaryOf(value as RoutingFields) : null
    if (value === null || value === '') return null
    if (field === 'preview') return cardText(value as PreviewSetting)
    if (field === 'state') return badges(value as 'active' | 'disabled' | 'banned' | 'deleted')
    if (field === 'owner') return t(`owner.${value as 'account' | 'none'}`)
    if (field === 'password') return value ? t('set') : null
    if (typeof value === 'boolean') return t(value ? 'on' : 'off')
    if (typeof value === 'number') return field === 'redirectStatus' ? String(value) : format.number(value)
    return field === 'startsAt' || field === 'expiresAt' ? format.time(String(value)) : String(value)
  }
}
