import type { ReactNode } from 'react'
import { FailureNotice } from '@/app/_ui/base/failure-notice'
import type { ServerData } from '@/app/_ui/data/server-data'

interface Props<T> {
  /** What the list holds. */
  label: string
  resource: ServerData<unknown>
  /** null while they are on their way. */
  items: readonly T[] | null
  keyOf: (item: T) => string
  /** In place of no items. */
  empty: ReactNode
  children: (item: T) => ReactNode
}

/** A short list in the settings: passkeys, sessions, keys. */
export function SettingsList<T>({ label, resource, items, keyOf, empty, children }: Props<T>) {
  const { failure } = resource
  if (items === null) {
    return failure ? <FailureNotice failure={failure} stale={false} onAgain={resource.reload} /> : <Skeleton />
  }
  return (
    <>
      {failure && <FailureNotice failure={failure} stale onAgain={resource.reload} />}
      {items.length === 0 ? (
        <p className="py-2 text-sm text-muted">{empty}</p>
      ) : (
        <ul aria-label={label} className="divide-y divide-line border-t border-line">
          {items.map((item) => (
            <li key={keyOf(item)} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 last:pb-0">
              {children(item)}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Skeleton() {
  return (
    <div aria-hidden="true" className="border-t border-line pt-4 pb-1">
      <div className="skeleton h-4 w-48 max-w-full" />
      <div className="skeleton mt-2.5 h-3.5 w-64 max-w-full" />
    </div>
  )
}

/** What one of them is, and below it what more there is to say. */
export function ItemText({ title, badges, children }: { title: ReactNode; badges?: ReactNode; children: ReactNode }) {
  return (
    <div className="min-w-0 flex-1 basis-52">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-[15px] font-medium">
        <span className="min-w-0 text-anywhere">{title}</span>
        {badges}
      </p>
      <p className="mt-0.5 text-[13px] text-muted text-anywhere">{children}</p>
    </div>
  )
}
