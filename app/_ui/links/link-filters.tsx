import { SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/app/_ui/base/button'
import { Chip } from '@/app/_ui/base/chip'
import { FilterBar } from '@/app/_ui/base/filter-bar'
import { SearchField } from '@/app/_ui/base/search-field'
import { Select, type SelectOption } from '@/app/_ui/base/select'
import { useInBrowser } from '@/app/_ui/base/use-in-browser'
import { formatNumber } from '@/app/_ui/data/numbers'
import type { LinkState } from '@/lib/links/schemas'
import { LinkFiltersDialog } from './link-filters-dialog'
import { EMPTY_VIEW, isNarrowed, type LinksControl, type LinksView } from './links-view'

const STATES: readonly SelectOption<LinkState | ''>[] = [
  { value: '', label: 'Any state' },
  { value: 'active', label: 'Active' },
  { value: 'scheduled', label: 'Scheduled' },
  { value: 'expired', label: 'Expired' },
  { value: 'disabled', label: 'Disabled' },
  { value: 'banned', label: 'Banned' },
  { value: 'deleted', label: 'Deleted' },
]

/** Search and filters over the account's links. */
export function LinkFilters({ control }: { control: LinksControl }) {
  const { view, change } = control
  return (
    <FilterBar label="Links" onClear={isNarrowed(view) ? () => change({ ...EMPTY_VIEW, sort: view.sort }) : null}>
      <SearchField
        label="Search your links"
        placeholder="Search code, title or destination"
        value={view.q}
        onChange={(q) => change({ q })}
        className="w-full sm:w-auto sm:grow sm:basis-64"
      />
      <StateFilter control={control} className="grow basis-40 sm:grow-0 sm:basis-36" />
      <RangeFilters control={control} />
    </FilterBar>
  )
}

export function StateFilter({ control: { view, change }, className }: { control: LinksControl; className: string }) {
  const state = view.state ?? ''
  return (
    <Select label="State" value={state} options={STATES} onChange={(it) => change({ state: it || null })} className={className} />
  )
}

/** What is set in a dialog: the button that opens it, and a chip for each range. */
export function RangeFilters({ control: { view, change } }: { control: LinksControl }) {
  const [open, setOpen] = useState(false)
  // They are in the reader's locale, which the server does not know.
  const chips = useInBrowser() ? chipsOf(view) : []
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <SlidersHorizontal aria-hidden="true" className="size-4" />
        Filters
      </Button>
      {chips.map(({ text, without }) => (
        <Chip key={text} label={text} onRemove={() => change(without)}>
          {text}
        </Chip>
      ))}
      {open && (
        <LinkFiltersDialog
          view={view}
          onClose={() => setOpen(false)}
          onChoose={(changes) => {
            setOpen(false)
            change(changes)
          }}
        />
      )}
    </>
  )
}

/** The ranges that are set, in words. */
function chipsOf({ from, to, minClicks, maxClicks }: LinksView): { text: string; without: Partial<LinksView> }[] {
  const chips = []
  if (from || to)
    chips.push({ text: `Made ${rangeText(from && dayText(from), to && dayText(to))}`, without: { from: null, to: null } })
  if (minClicks !== null || maxClicks !== null) {
    const [low, high] = [minClicks, maxClicks].map((count) => (count === null ? null : formatNumber(count)))
    chips.push({ text: `Clicks ${rangeText(low ?? null, high ?? null)}`, without: { minClicks: null, maxClicks: null } })
  }
  return chips
}

function rangeText(low: string | null, high: string | null): string {
  if (low && high) return low === high ? low : `${low} to ${high}`
  return low ? `from ${low}` : `up to ${high}`
}

const dayText = (day: string) =>
  new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day))
