import type { Metadata } from 'next'
import { useTranslations } from '#i18n'
import { baseUrl } from '@/app/_server/base-url'
import { getTranslations } from '@/app/_server/locale'
import { openApiDocument } from '@/lib/api/endpoints'
import { dialectOf } from '@/lib/api/foreign/answer'
import { type ForeignApi, readConfig } from '@/lib/config'
import { type Endpoint, endpointsOf, type OpenApi, resolve } from './document'
import { Anchor, EndpointSection, Method } from './endpoint-section'
import { ForeignApis, type ForeignSection } from './foreign-apis'
import { Prose, SchemaFields } from './schema-fields'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('docs')
  return { title: t('title'), description: t('description') }
}

/** The reference is one text, in English, made of the schemas; what stands around it is in the language of the page. */
export default async function ApiPage() {
  const base = await baseUrl()
  const api = openApiDocument({ BASE_URL: base }) as OpenApi
  const endpoints = endpointsOf(api)
  const foreign = await Promise.all(readConfig().FOREIGN_APIS.map(sectionOf))
  return (
    <div className="grid gap-x-12 gap-y-10 pt-8 sm:pt-12 lg:grid-cols-[13rem_minmax(0,1fr)]">
      <Introduction api={api} base={base} />
      <Contents endpoints={endpoints} hasForeign={foreign.length > 0} />
      <div className="min-w-0 space-y-12 lg:col-start-2">
        {endpoints.map((endpoint) => (
          <EndpointSection key={endpoint.id} api={api} endpoint={endpoint} baseUrl={base} />
        ))}
        {foreign.length > 0 && <ForeignApis sections={foreign} base={base} />}
        <Objects api={api} endpoints={endpoints} />
      </div>
    </div>
  )
}

/** What is said of the API of another shortener: of a list of actions behind one path, each of them. */
async function sectionOf(api: ForeignApi): Promise<ForeignSection> {
  const { endpoints, actions } = await dialectOf(api)
  return { api, endpoints: actions ?? endpoints.map(({ method, path, summary }) => ({ method, path, summary })) }
}

function Contents({ endpoints, hasForeign }: { endpoints: Endpoint[]; hasForeign: boolean }) {
  const t = useTranslations('docs')
  const item = '-mx-2 flex items-start gap-2 rounded-control px-2 py-2 text-muted hover:text-fg'
  return (
    <nav
      aria-label={t('contents')}
      className="text-sm lg:sticky lg:top-8 lg:col-start-1 lg:row-span-2 lg:row-start-1 lg:self-start"
    >
      <ul className="space-y-0.5">
        {endpoints.map(({ id, title, method }) => (
          <li key={id}>
            <a href={`#${id}`} className={item}>
              <span className="w-14 shrink-0">
                <Method method={method} />
              </span>
              <span lang="en">{title}</span>
            </a>
          </li>
        ))}
        {hasForeign && (
          <li>
            <a href="#foreign" className={item}>
              {t('foreign.title')}
            </a>
          </li>
        )}
        <li>
          <a href="#objects" className={item}>
            {t('objects')}
          </a>
        </li>
      </ul>
    </nav>
  )
}

function Introduction({ api, base }: { api: OpenApi; base: string }) {
  const t = useTranslations('docs')
  return (
    <div className="min-w-0 lg:col-start-2 lg:row-start-1">
      <h1 className="text-3xl font-semibold tracking-tight">{t('title')}</h1>
      {api.info.description && (
        <p lang="en" className="mt-3 max-w-prose text-muted">
          <Prose text={api.info.description} />
        </p>
      )}
      <p className="mt-3 max-w-prose text-muted">
        {t.rich('intro', {
          base: () => (
            <code key="base" className="font-mono text-sm text-fg text-anywhere">
              {base}/api/v1
            </code>
          ),
          type: (text) => <code className="font-mono text-sm text-fg">{text}</code>,
          link: (text) => (
            <a href="/api/v1/openapi.json" className="text-accent underline underline-offset-2">
              {text}
            </a>
          ),
        })}
      </p>
    </div>
  )
}

/** What answers are made of. Bodies are shown with their endpoints already. */
function Objects({ api, endpoints }: { api: OpenApi; endpoints: Endpoint[] }) {
  const t = useTranslations('docs')
  const bodies = new Set(endpoints.map(({ body }) => body && resolve(api, body).name))
  return (
    <section aria-labelledby="objects" className="border-t border-line pt-10">
      <h2 id="objects" className="text-xl font-semibold tracking-tight">
        {t('objects')}
      </h2>
      {Object.entries(api.components.schemas)
        .filter(([name]) => !bodies.has(name))
        .map(([name, schema]) => (
          <div key={name} lang="en" className="mt-8">
            <h3 id={name} className="font-semibold">
              <Anchor id={name}>{name}</Anchor>
            </h3>
            <p className="mt-1 mb-3 text-sm text-muted">
              <Prose text={schema.description ?? ''} />
            </p>
            <SchemaFields api={api} schema={schema} />
          </div>
        ))}
    </section>
  )
}
