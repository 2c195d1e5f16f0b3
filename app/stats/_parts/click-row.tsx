import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { wordLocale } from '@/app/_ui/data/locale'
import type { ClickView } from '@/lib/stats/schemas'
import { sourceOf } from '@/lib/stats/sources'
import { Flag } from './flag'
import { KIND_NAMES, valueName } from './labels'

/** One click: when, from where and with what; the rest on demand. */
export function ClickRow({ click, timezone }: { click: ClickView; timezone: string }) {
  const country = click.country && valueName('country', click.country)
  // Its own country code says no more than the name beside it.
  const city = country ? click.city.replace(/, [A-Z]{2}$/, '') : click.city
  const software = [click.browser, click.os].filter(Boolean).join(' on ')
  return (
    <li>
      <details className="group">
        <summary className="flex min-h-11 list-none items-center gap-2.5 rounded-control py-2 text-sm sm:min-h-10 [&::-webkit-details-marker]:hidden">
          <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted transition-transform group-open:rotate-90" />
          <span className="grid min-w-0 flex-1 gap-x-4 sm:grid-cols-[13.5rem_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)] sm:items-center">
            <span className="flex items-center gap-2">
              <time dateTime={click.at} className="tabular-nums">
                {timeOf(click.at, timezone)}
              </time>
              {click.kind !== 'person' && (
                <span className="rounded-full border border-line bg-bg px-2 py-px text-xs font-medium text-muted">
                  {KIND_NAMES[click.kind].one}
                </span>
              )}
            </span>
            {/* On a small screen one line, else columns. */}
            <span className="min-w-0 truncate text-muted sm:contents">
              <Part>
                {click.country && (
                  <span className="mr-2">
                    <Flag code={click.country} />
                  </span>
                )}
                {city && <bdi>{city}</bdi>}
                {city && country && ', '}
                {country}
                {!city && !country && 'Unknown place'}
              </Part>
              <Part follows>{software || 'Unknown software'}</Part>
              <Part follows>
                <bdi title={click.referrer}>{sourceOf(click.referrer) || 'Direct'}</bdi>
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
  const { utm } = click
  const facts: [string, string][] = [
    ['Device', click.device && valueName('device', click.device)],
    ['Language', click.language && valueName('language', click.language)],
    ['Referring page', click.referrerUrl],
    ['UTM source', utm.source],
    ['UTM medium', utm.medium],
    ['UTM campaign', utm.campaign],
    ['UTM term', utm.term],
    ['UTM content', utm.content],
    ['User agent', click.userAgent],
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

const formats = new Map<string, Intl.DateTimeFormat>()

function timeOf(iso: string, timeZone: string): string {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat(wordLocale(), { dateStyle: 'medium', timeStyle: 'short', timeZone })
    formats.set(timeZone, format)
  }
  return format.format(new Date(iso))
}
