import type { ReactNode } from 'react'
import { Button } from '@/app/_ui/base/button'
import { CopyButton } from '@/app/_ui/base/copy-button'
import { readableUrl } from '@/app/_ui/data/readable-url'

function Empty({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className="mt-8 rounded-card border border-dashed border-line-strong px-5 py-14 text-center">
      <h2 className="text-lg font-semibold">{title}</h2>
      <p className="mx-auto mt-1.5 max-w-md text-sm text-muted text-pretty">{text}</p>
      <div className="mt-6 flex flex-wrap items-center justify-center gap-3">{children}</div>
    </div>
  )
}

/** Nobody has come yet. */
export function EmptyLink({ shortUrl }: { shortUrl: string }) {
  const share = async () => {
    // Thrown when the person thought better of it.
    await navigator.share({ url: shortUrl }).catch(() => undefined)
  }
  return (
    <Empty
      title="No clicks yet"
      text="Copy the link and share it: in a message, in a post, on a poster. The first click shows up here by itself, within seconds."
    >
      <CopyButton text={shortUrl} name={readableUrl(shortUrl)} />
      {typeof navigator.share === 'function' && <Button onClick={share}>Share…</Button>}
    </Empty>
  )
}

interface ViewProps {
  filtered: boolean
  onAllTime: () => void
  onClearFilters: () => void
}

/** There are clicks, but none in this view. */
export function EmptyView({ filtered, onAllTime, onClearFilters }: ViewProps) {
  return filtered ? (
    <Empty title="No clicks match" text="No click in this range matches all of these filters.">
      <Button look="primary" onClick={onClearFilters}>
        Clear the filters
      </Button>
      <Button onClick={onAllTime}>Show all time</Button>
    </Empty>
  ) : (
    <Empty title="No clicks in this range" text="This link was clicked at other times.">
      <Button look="primary" onClick={onAllTime}>
        Show all time
      </Button>
    </Empty>
  )
}
