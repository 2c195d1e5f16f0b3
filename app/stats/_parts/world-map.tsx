import { type MouseEvent, type PointerEvent, type ReactNode, useState } from 'react'
import { useTranslations } from '#i18n'
import { Card } from '@/app/_ui/base/card'
import { useFormat } from '@/app/_ui/data/format'
import type { Share, Stats } from '@/lib/stats/schemas'
import { Scale } from './scale'
import { shade, stepOf } from './shading'
import type { ViewControl } from './use-view'
import type { World } from './world'

interface Props {
  world: World
  stats: Stats
  control: ViewControl
}

/** Where people are. By keyboard the same is in the panel beside it, as a list. */
export function WorldMap({ world, stats, control }: Props) {
  const t = useTranslations('stats')
  const format = useFormat()
  const [over, setOver] = useState<string | null>(null)
  const shares = new Map(stats.breakdown.country.map((share) => [share.value, share]))
  const highest = Math.max(0, ...stats.breakdown.country.filter(({ value }) => value !== '').map(({ clicks }) => clicks))
  const chosen = control.view.filters.country
  const choose = (event: MouseEvent) => {
    const code = codeAt(event.target)
    if (code && (shares.has(code) || code === chosen)) control.toggle('country', code)
  }
  return (
    <Card
      title={t('panel.map')}
      className="flex flex-col"
      action={highest > 0 && <Scale from={format.number(1)} to={format.number(highest)} />}
    >
      <figure className="my-auto">
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the list of countries does the same by keyboard */}
        <svg
          viewBox={`0 0 ${world.width} ${world.height}`}
          role="img"
          aria-label={t('map.label', { places: shares.size })}
          className="w-full"
          strokeLinejoin="round"
          onClick={choose}
          onPointerMove={(event: PointerEvent) => setOver(codeAt(event.target))}
          onPointerLeave={() => setOver(null)}
        >
          <Countries world={world} shares={shares} highest={highest} chosen={chosen} />
          {over && <Outline world={world} code={over} />}
        </svg>
        <figcaption className="mt-2 min-h-5 text-[13px] text-muted">
          {over ? <Reading code={over} share={shares.get(over)} total={stats.totals.clicks} /> : t('map.hint')}
        </figcaption>
      </figure>
    </Card>
  )
}

interface CountriesProps {
  world: World
  shares: Map<string, Share>
  highest: number
  chosen: string | undefined
}

function Countries({ world, shares, highest, chosen }: CountriesProps) {
  return world.countries.map(({ code, path }, index) => {
    const clicks = shares.get(code)?.clicks ?? 0
    return (
      <path
        // biome-ignore lint/suspicious/noArrayIndexKey: the map never changes, and some land shares a code
        key={index}
        d={path}
        data-country={code}
        style={{ fill: shade(stepOf(clicks, highest)) ?? 'var(--line)' }}
        stroke={code !== '' && code === chosen ? 'var(--fg)' : 'var(--surface)'}
        strokeWidth={code !== '' && code === chosen ? 3 : 1}
        className={clicks > 0 || code === chosen ? 'cursor-pointer' : undefined}
      />
    )
  })
}

/** Drawn last, or the neighbours would cover half of it. */
function Outline({ world, code }: { world: World; code: string }) {
  const path = world.countries
    .filter((country) => country.code === code)
    .map((country) => country.path)
    .join('')
  return <path d={path} fill="none" stroke="var(--fg)" strokeWidth="2" pointerEvents="none" />
}

function Reading({ code, share, total }: { code: string; share: Share | undefined; total: number }) {
  const t = useTranslations('stats')
  const format = useFormat()
  const clicks = share?.clicks ?? 0
  const country = format.country(code)
  const name = (words: ReactNode) => <span className="font-medium text-fg">{words}</span>
  return clicks === 0
    ? t.rich('map.none', { country, name })
    : t.rich('map.reading', { country, name, clicks, share: format.share(clicks, total) })
}

const codeAt = (target: EventTarget): string | null =>
  (target instanceof SVGElement && target.getAttribute('data-country')) || null
