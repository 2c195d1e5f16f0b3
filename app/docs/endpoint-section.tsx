import { useTranslations } from '#i18n'
import { curlExample } from './curl'
import { type Answer, type Endpoint, type OpenApi, resolve, schemaIn } from './document'
import { Prose, Rows, SchemaFields, TypeOf } from './schema-fields'

interface Props {
  api: OpenApi
  endpoint: Endpoint
  baseUrl: string
}

const KEYS: Record<Endpoint['key'], string> = {
  none: 'Open to everyone.',
  optional: 'Works without an API key.',
  link: 'Send the manage token of the link, or an API key of its owner, as a bearer token.',
  account: 'Send an API key as a bearer token.',
  session: 'Only works in a signed-in browser. API keys are refused.',
}

export function EndpointSection({ api, endpoint, baseUrl }: Props) {
  const t = useTranslations('docs')
  const good = endpoint.answers.filter(([status]) => status < '4')
  const bad = endpoint.answers.filter(([status]) => status >= '4')
  return (
    <section aria-labelledby={endpoint.id} className="border-t border-line pt-10">
      <h2 id={endpoint.id} lang="en" className="text-xl font-semibold tracking-tight">
        <Anchor id={endpoint.id}>{endpoint.title}</Anchor>
      </h2>
      <p className="mt-2 font-mono text-sm text-anywhere">
        <Method method={endpoint.method} /> {endpoint.path}
      </p>
      <p lang="en" className="mt-3 max-w-prose text-muted">
        {endpoint.description && (
          <>
            <Prose text={endpoint.description} />{' '}
          </>
        )}
        {KEYS[endpoint.key]}
        {endpoint.isForAdmins && ' For admins only.'}
      </p>
      <Code label={t('example', { endpoint: endpoint.title })} text={curlExample(api, endpoint, baseUrl)} />
      {endpoint.parameters.length > 0 && (
        <>
          <Subtitle>{t('parameters')}</Subtitle>
          <Rows
            rows={endpoint.parameters.map((parameter) => ({
              name: parameter.name,
              required: parameter.required ?? false,
              type: (
                <>
                  in the {parameter.in}, <TypeOf schema={parameter.schema ?? {}} />
                </>
              ),
              description: <Prose text={parameter.description ?? parameter.schema?.description ?? ''} />,
            }))}
          />
        </>
      )}
      {endpoint.body && resolve(api, endpoint.body).schema.properties && (
        <>
          <Subtitle>{t('body')}</Subtitle>
          <SchemaFields api={api} schema={endpoint.body} />
        </>
      )}
      <Subtitle>{t('responses')}</Subtitle>
      <Rows
        rows={good.map(([status, answer]) => ({
          name: status,
          required: false,
          type: <AnswerType api={api} answer={answer} />,
          description: <Prose text={answer.description} />,
        }))}
      />
      {bad.length > 0 && <Errors answers={bad} />}
    </section>
  )
}

/** The refusals all look alike, so a line is enough for each. */
function Errors({ answers }: { answers: Endpoint['answers'] }) {
  const t = useTranslations('docs')
  return (
    <>
      <Subtitle>{t('errors')}</Subtitle>
      <dl lang="en" className="grid gap-x-8 gap-y-1.5 text-sm sm:grid-cols-2">
        {answers.map(([status, answer]) => (
          <div key={status} className="flex gap-3">
            <dt className="font-mono font-medium">{status}</dt>
            <dd className="min-w-0 text-muted text-anywhere">
              <Prose text={answer.description} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function AnswerType({ api, answer }: { api: OpenApi; answer: Answer }) {
  const schema = schemaIn(answer.content)
  const headers = Object.keys(answer.headers ?? {})
  const type = Object.keys(answer.content ?? {})[0]
  return (
    <>
      {schema ? <TypeOf schema={resolve(api, schema).name ? schema : { type: schema.type }} /> : 'no body'}
      {type && `, ${type}`}
      {headers.length > 0 && `, with ${headers.join(', ')}`}
    </>
  )
}

export function Method({ method }: { method: string }) {
  return <span className="rounded bg-accent-soft px-1.5 py-0.5 font-mono text-xs font-semibold text-accent">{method}</span>
}

export function Anchor({ id, children }: { id: string; children: string }) {
  return (
    <a href={`#${id}`} className="underline-offset-4 hover:underline">
      {children}
    </a>
  )
}

function Subtitle({ children }: { children: string }) {
  return <h3 className="mt-6 mb-2 text-sm font-semibold">{children}</h3>
}

/** Scrolls sideways by itself, and can take focus so that keys can do it too. */
export function Code({ text, label }: { text: string; label: string }) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      className="mt-4 overflow-x-auto rounded-control border border-line bg-surface"
    >
      <pre lang="en" className="w-max p-4 font-mono text-[13px] leading-relaxed">
        {text}
      </pre>
    </section>
  )
}
