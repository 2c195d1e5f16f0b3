import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from '#i18n'
import { cx } from '@/app/_ui/base/cx'
import { useFormat } from '@/app/_ui/data/format'
import { readableUrl } from '@/app/_ui/data/readable-url'
import type { ClickView } from '@/lib/stats/schemas'
import { sourceOf } from '@/lib/stats/sources'
import { Flag } from './flag'
import { useValueName } from './labels'

interface Props {
  /** Of several links, with the one that was clicked. */
  click: ClickView & { shortUrl?: string }
  timezone: string
}

/** One click: when, from where and with what; the rest on demand. */
export function ClickRow({ click, timezone }: Props) {
  const t = useTranslations('stats')
  const format = useFormat()
  const valueName = useValueName()
  const country = click.country && valueName('country', click.country)
  // Its own country code says no more than the name beside it.
  const city = country ? click.city.replace(/, [A-Z]{2}$/, '') : click.city
  const { browser, os } = click
  const software = browser && os ? t('clicks.software', { browser, os }) : browser || os
  const when = format.dates({ dateStyle: 'medium', timeStyle: 'short', timeZone: timezone }).format(new Date(click.at))
  return (
    <li>
      <details className="group">
        <summary className="flex min-h-11 list-none items-center gap-2.5 rounded-control py-2 text-sm sm:min-h-10 [&::-webkit-details-marker]:hidden">
          <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted transition-transform group-open:rotate-90" />
          <span
            className={cx(
              'grid min-w-0 flex-1 gap-x-4 sm:items-center',
              click.shortUrl === undefined
                ? 'sm:grid-cols-[13.5rem_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)]'
                : 'sm:grid-cols-[11rem_minmax(0,1.8fr)_minmax(0,1fr)_minmax(0,1fr)_minmax(0,0.8fr)]',
            )}
          >
            <span className="flex items-center gap-2">
              <time dateTime={click.at} className="tabular-nums">
                {when}
              </time>
              {click.kind !== 'person' && (
                <span className="rounded-full border border-line bg-bg px-2 py-px text-xs font-medium text-muted">
                  {t(`kind.${click.kind}.one`)}
                </span>
              )}
            </span>
            {/* On a small screen one line, else columns. */}
            <span className="min-w-0 truncate text-muted sm:contents">
              {click.shortUrl !== undefined && (
                <Part>
                  <bdi title={click.shortUrl} className="text-fg">
                    {readableUrl(click.shortUrl)}
                  </bdi>
                </Part>
              )}
              <Part follows={click.shortUrl !== undefined}>
                {click.country && (
                  <span className="mr-2">
                    <Flag code={click.country} />
                  </span>
                )}
                {city && country
                  ? t.rich('clicks.place', { country, city: () => <bdi>{city}</bdi> })
                  : (city && <bdi>{city}</bdi>) || country || t('clicks.unknownPlace')}
              </Part>
              <Part follows>{software || t('clicks.unknownSoftware')}</Part>
              <Part follows>
                <bdi title={click.referrer}>{sourceOf(click.referrer) || t('value.direct')}</bdi>
              </Part>
            </span>
          </span>
        </summary>
        <Details click={click} />
      </details>
    </li>
  )
}

function Part({ follows = false, children }: { follows?: boolean; children: ReactNode }) {
  return (
    <span className="min-w-0 sm:truncate">
      {follows && <span className="sm:hidden"> · </span>}
      {children}
    </span>
  )
}

function Details({ click }: { click: ClickView }) {
  const t = useTranslations('stats')
  const valueName = useValueName()
  const { utm } = click
  const facts: [string, string][] = [
    [t('facet.destination'), click.destination],
    [t('facet.device'), click.device && valueName('device', click.device)],
    [t('facet.language'), click.language && valueName('language', click.language)],
    [t('clicks.referrerUrl'), click.referrerUrl],
    [t('facet.utm_source'), utm.source],
    [t('facet.utm_medium'), utm.medium],
    [t('facet.utm_campaign'), utm.campaign],
    [t('facet.utm_term'), utm.term],
    [t('facet.utm_content'), utm.content],
    [t('clicks.userAgent'), click.userAgent],
  ]
  return (
    <dl className="grid gap-x-4 gap-y-1 pt-1 pb-4 pl-6.5 text-[13px] sm:grid-cols-[7rem_minmax(0,1fr)]">
      {facts
        .filter(([, value]) => value !== '')
        .map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="mb-1 text-anywhere sm:mb-0">
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
    </dl>
  )
}
