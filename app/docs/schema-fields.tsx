import type { ReactNode } from 'react'
import { type OpenApi, refName, resolve, type Schema } from './document'

interface Row {
  name: string
  type: ReactNode
  required: boolean
  description: ReactNode
}

/** Names with their types and meanings, as a list that fits a phone. */
export function Rows({ rows }: { rows: Row[] }) {
  return (
    <dl lang="en" className="divide-y divide-line rounded-control border border-line bg-surface">
      {rows.map((row) => (
        <div key={row.name} className="px-4 py-3 sm:grid sm:grid-cols-[13rem_1fr] sm:gap-4">
          <dt className="text-anywhere">
            <code className="font-mono text-sm font-medium">{row.name}</code>
            {row.required && <span className="ml-2 text-xs font-medium text-warn">required</span>}
          </dt>
          <dd className="min-w-0 text-sm">
            <p className="text-[13px] text-muted text-anywhere">{row.type}</p>
            {row.description && <p className="mt-0.5 text-anywhere">{row.description}</p>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The fields of an object schema. */
export function SchemaFields({ api, schema }: { api: OpenApi; schema: Schema }) {
  const { schema: object } = resolve(api, schema)
  const rows = Object.entries(object.properties ?? {}).map(([name, property]) => ({
    name,
    type: <TypeOf schema={property} />,
    required: object.required?.includes(name) ?? false,
    description: <Description schema={property} />,
  }))
  return rows.length > 0 && <Rows rows={rows} />
}

function Description({ schema }: { schema: Schema }) {
  const example = schema.example ?? schema.examples?.[0]
  return (
    <>
      <Prose text={schema.description ?? ''} />
      {example !== undefined && (
        <>
          {schema.description && ' '}
          <span className="text-muted">
            Example:{' '}
            <code className="font-mono text-[13px]">{typeof example === 'string' ? example : JSON.stringify(example)}</code>
          </span>
        </>
      )}
    </>
  )
}

/** Text with `code` in back ticks. */
export function Prose({ text }: { text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a constant text stay where they are
      <code key={index} className="font-mono text-[0.92em] text-fg">
        {part}
      </code>
    ),
  )
}

export function TypeOf({ schema }: { schema: Schema }) {
  if (schema.$ref) {
    const name = refName(schema.$ref)
    return (
      <a href={`#${name}`} className="text-accent underline underline-offset-2">
        {name}
      </a>
    )
  }
  if (schema.items) {
    return (
      <>
        array of <TypeOf schema={schema.items} />
      </>
    )
  }
  const either = schema.anyOf ?? schema.oneOf
  if (either) {
    return either.map((part, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <span key={index}>
        {index > 0 && ' or '}
        <TypeOf schema={part} />
      </span>
    ))
  }
  return typeText(schema)
}

function typeText(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(', ')
  const type = [schema.type ?? 'any'].flat().join(' or ')
  const format = schema.format ? `, ${schema.format}` : ''
  return `${type}${format}${limits(schema)}`
}

function limits({ type, minimum, maximum, minLength, maxLength }: Schema): string {
  const number = (value: number) => value.toLocaleString('en')
  // A bound that only says "fits the format" tells a reader nothing.
  const max = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? maximum : undefined
  const min = minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER ? minimum : undefined
  if (maxLength !== undefined) return `, ${minLength ? `${number(minLength)} to` : 'up to'} ${number(maxLength)} characters`
  if (min !== undefined && max !== undefined) return `, ${number(min)} to ${number(max)}`
  if (min !== undefined && type !== 'string') return `, at least ${number(min)}`
  return ''
}
