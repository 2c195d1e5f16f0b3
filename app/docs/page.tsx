import type { Metadata } from 'next'
import { baseUrl } from '@/app/_server/base-url'
import { openApiDocument } from '@/lib/api/endpoints'
import { type Endpoint, endpointsOf, type OpenApi, resolve } from './document'
import { Anchor, EndpointSection, Method } from './endpoint-section'
import { Prose, SchemaFields } from './schema-fields'

export const metadata: Metadata = { title: 'API', description: 'Make, change and delete short links over HTTP.' }

export default async function ApiPage() {
  const base = await baseUrl()
  const api = openApiDocument({ BASE_URL: base }) as OpenApi
  const endpoints = endpointsOf(api)
  return (
    <div className="grid gap-x-12 gap-y-10 pt-8 sm:pt-12 lg:grid-cols-[13rem_minmax(0,1fr)]">
      <Introduction api={api} base={base} />
      <Contents endpoints={endpoints} />
      <div className="min-w-0 space-y-12 lg:col-start-2">
        {endpoints.map((endpoint) => (
          <EndpointSection key={endpoint.id} api={api} endpoint={endpoint} baseUrl={base} />
        ))}
        <Objects api={api} endpoints={endpoints} />
      </div>
    </div>
  )
}

function Contents({ endpoints }: { endpoints: Endpoint[] }) {
  const item = '-mx-2 flex items-start gap-2 rounded-control px-2 py-2 text-muted hover:text-fg'
  return (
    <nav
      aria-label="On this page"
      className="text-sm lg:sticky lg:top-8 lg:col-start-1 lg:row-span-2 lg:row-start-1 lg:self-start"
    >
      <ul className="space-y-0.5">
        {endpoints.map(({ id, title, method }) => (
          <li key={id}>
            <a href={`#${id}`} className={item}>
              <span className="w-14 shrink-0">
                <Method method={method} />
              </span>
              {title}
            </a>
          </li>
        ))}
        <li>
          <a href="#objects" className={item}>
            Objects
          </a>
        </li>
      </ul>
    </nav>
  )
}

function Introduction({ api, base }: { api: OpenApi; base: string }) {
  return (
    <div className="min-w-0 lg:col-start-2 lg:row-start-1">
      <h1 className="text-3xl font-semibold tracking-tight">API</h1>
      {api.info.description && (
        <p className="mt-3 max-w-prose text-muted">
          <Prose text={api.info.description} />
        </p>
      )}
      <p className="mt-3 max-w-prose text-muted">
        JSON in and out, at <code className="font-mono text-sm text-fg text-anywhere">{base}/api/v1</code>. Errors are{' '}
        <code className="font-mono text-sm text-fg">application/problem+json</code> and name the fields that are wrong. This page
        is made from the{' '}
        <a href="/api/v1/openapi.json" className="text-accent underline underline-offset-2">
          OpenAPI document
        </a>
        , which you can give to your tools.
      </p>
    </div>
  )
}

/** What answers are made of. Bodies are shown with their endpoints already. */
function Objects({ api, endpoints }: { api: OpenApi; endpoints: Endpoint[] }) {
  const bodies = new Set(endpoints.map(({ body }) => body && resolve(api, body).name))
  return (
    <section aria-labelledby="objects" className="border-t border-line pt-10">
      <h2 id="objects" className="text-xl font-semibold tracking-tight">
        Objects
      </h2>
      {Object.entries(api.components.schemas)
        .filter(([name]) => !bodies.has(name))
        .map(([name, schema]) => (
          <div key={name} className="mt-8">
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
