import { useTranslations } from '#i18n'
import type { ForeignApi } from '@/lib/config'
import { Anchor, Method } from './endpoint-section'

/** The API of another shortener, as far as the page tells of it: its own documents tell the rest. */
export interface ForeignSection {
  api: ForeignApi
  endpoints: readonly { method: string; path: string; summary: string }[]
}

const NAMES: Readonly<Record<ForeignApi, { name: string; path: string; key: string }>> = {
  yourls: { name: 'YOURLS', path: '/yourls-api.php', key: 'signature' },
  kutt: { name: 'Kutt', path: '/api/v2', key: 'X-API-KEY' },
  shlink: { name: 'Shlink', path: '', key: 'X-Api-Key' },
  bitly: { name: 'Bitly', path: '/v4', key: 'Authorization' },
  dub: { name: 'Dub', path: '/dub', key: 'Authorization' },
}

/** The APIs of other shorteners that are turned on. */
export function ForeignApis({ sections, base }: { sections: readonly ForeignSection[]; base: string }) {
  const t = useTranslations('docs')
  return (
    <section aria-labelledby="foreign" className="border-t border-line pt-10">
      <h2 id="foreign" className="text-xl font-semibold tracking-tight">
        <Anchor id="foreign">{t('foreign.title')}</Anchor>
      </h2>
      <p className="mt-3 max-w-prose text-muted">{t('foreign.text')}</p>
      {sections.map(({ api, endpoints }) => {
        const { name, path, key } = NAMES[api]
        return (
          <div key={api} className="mt-8">
            <h3 id={`foreign-${api}`} className="font-semibold">
              <Anchor id={`foreign-${api}`}>{name}</Anchor>
            </h3>
            <p className="mt-1 text-sm text-muted text-anywhere">
              {t('foreign.address', { address: base + path })} · {t('foreign.key', { key })}
            </p>
            <dl lang="en" className="mt-3 divide-y divide-line rounded-control border border-line bg-surface">
              {endpoints.map((endpoint) => (
                <div
                  key={`${endpoint.method} ${endpoint.path}`}
                  className="px-4 py-2.5 text-sm sm:grid sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] sm:gap-4"
                >
                  <dt className="font-mono text-[13px] text-anywhere">
                    <Method method={endpoint.method} /> {endpoint.path}
                  </dt>
                  <dd className="mt-1 min-w-0 text-muted text-anywhere sm:mt-0">{endpoint.summary}</dd>
                </div>
              ))}
            </dl>
          </div>
        )
      })}
    </section>
  )
}
