import { SlidersHorizontal, Star } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { Chip } from '@/app/_ui/base/chip'
import { useKeys } from '@/app/_ui/base/keys'
import { Select } from '@/app/_ui/base/select'
import { useFormat } from '@/app/_ui/data/format'
import type { Format } from '@/lib/i18n/format'
import type { Translator } from '@/lib/i18n/translate'
import { LINK_STATES } from '@/lib/links/values'
import { LinkFiltersDialog } from './link-filters-dialog'
import type { LinksControl, LinksView } from './links-view'

/** Narrows a list of links to those in one state. */
export function StateFilter({ control: { view, change }, className }: { control: LinksControl; className: string }) {
  const t = useTranslations('linkList')
  const links = useTranslations('links')
  const states = LINK_STATES.map((value) => ({ value, label: links(`badge.${value}`) }))
  return (
    <Select
      label={t('filter.state')}
      value={view.state ?? ''}
      options={[{ value: '', label: t('filter.anyState') }, ...states]}
      onChange={(state) => change({ state: state || null })}
      className={className}
    />
  )
}

/** What is set in a dialog: the button that opens it, and a chip for each filter. */
export function RangeFilters({ control: { view, change }, isOwn = false }: { control: LinksControl; isOwn?: boolean }) {
  const t = useTranslations('linkList')
  const format = useFormat()
  const [open, setOpen] = useState(false)
  useKeys({ f: () => setOpen(true) })
  const chips = [
    ...filedChips(view, t),
    healthChip(view, t),
    kindChip(view, t),
    createdChip(view, format, t),
    clicksChip(view, t),
  ].filter((chip) => chip !== null)
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <SlidersHorizontal aria-hidden="true" className="size-4" />
        {t('filter.more')}
      </Button>
      {chips.map(({ text, without }) => (
        <Chip key={text} label={text} onRemove={() => change(without)}>
          {text}
        </Chip>
      ))}
      {open && (
        <LinkFiltersDialog
          view={view}
          isOwn={isOwn}
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

/** Narrows the list to favorites, at a press. */
export function FavoritesFilter({ control: { view, change } }: { control: LinksControl }) {
  const t = useTranslations('linkList')
  const isOn = view.favorite !== null
  return (
    <Button
      aria-pressed={isOn}
      className="aria-pressed:border-accent aria-pressed:text-accent max-sm:w-11 max-sm:px-0"
      onClick={() => change({ favorite: isOn ? null : 'true' })}
    >
      <Star aria-hidden="true" className={isOn ? 'size-4 fill-current' : 'size-4'} />
      <span className="max-sm:sr-only">{t('filter.favorites')}</span>
    </Button>
  )
}

interface FilterChip {
  text: string
  without: Partial<LinksView>
}

function filedChips({ tag, folder, archived }: LinksView, t: Translator<'linkList'>): (FilterChip | null)[] {
  return [
    tag === null ? null : { text: t('filed.tag', { name: tag }), without: { tag: null } },
    folder === null ? null : { text: t('filed.folder', { name: folder }), without: { folder: null } },
    archived && { text: t(archived === 'any' ? 'filed.archivedAny' : 'filed.archivedOnly'), without: { archived: null } },
  ]
}

function healthChip({ health }: LinksView, t: Translator<'linkList'>): FilterChip | null {
  return health && { text: `${t('filter.health.label')}: ${t(`filter.health.${health}`)}`, without: { health: null } }
}

function kindChip({ kind }: LinksView, t: Translator<'linkList'>): FilterChip | null {
  return kind && { text: t(`kind.${kind}`), without: { kind: null } }
}

function createdChip({ from, to }: LinksView, format: Format, t: Translator<'linkList'>): FilterChip | null {
  const words = { from: from ? format.date(from) : '', to: to ? format.date(to) : '' }
  const without = { from: null, to: null }
  if (from && to) return { text: t(from === to ? 'created.on' : 'created.between', words), without }
  if (from) return { text: t('created.since', words), without }
  return to ? { text: t('created.until', words), without } : null
}

function clicksChip({ minClicks: low, maxClicks: high }: LinksView, t: Translator<'linkList'>): FilterChip | null {
  const without = { minClicks: null, maxClicks: null }
  if (low !== null && high !== null)
    return { text: t(low === high ? 'clicks.exactly' : 'clicks.between', { low, high }), without }
  if (low !== null) return { text: t('clicks.atLeast', { low }), without }
  return high === null ? null : { text: t('clicks.atMost', { high }), without }
}
