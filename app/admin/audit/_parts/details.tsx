import { ChevronRight } from 'lucide-react'
import { LongText } from '@/app/admin/_parts/long-text'

/** What belongs to an action, by name; folded away, since most of it is only asked for now and then. */
export function Details({ details }: { details: Record<string, unknown> }) {
  const facts = Object.entries(details).filter(([, value]) => value !== '' && value !== null)
  if (facts.length === 0) return null
  return (
    <details className="group/details mt-1 text-[13px]">
      <summary className="inline-flex min-h-6 cursor-pointer items-center gap-1 text-muted hover:text-fg">
        <ChevronRight aria-hidden="true" className="size-3.5 transition-transform group-open/details:rotate-90" />
        Details
      </summary>
      <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 rounded-control bg-bg px-3 py-2">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="min-w-0">
              <LongText>{textOf(value)}</LongText>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

function textOf(value: unknown): string {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
