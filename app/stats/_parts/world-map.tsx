import { type MouseEvent, type PointerEvent, useState } from 'react'
import { Card } from '@/app/_ui/base/card'
import { formatNumber, formatShare } from '@/app/_ui/data/numbers'
import type { Share, Stats } from '@/lib/stats/schemas'
import { valueName } from './labels'
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
  const [over, setOver] = useState<string | null>(null)
  const shares = new Map(stats.breakdown.country.map((share) => [share.value, share]))
  const highest = Math.max(0, ...stats.breakdown.country.filter(({ value }) => value !== '').map(({ clicks }) => clicks))
  const chosen = control.view.filters.country
  const choose = (event: MouseEvent) => {
    const code = codeAt(event.target)
    if (code && (shares.has(code) || code === chosen)) control.toggle('country', code)
  }
  return (
    <Card title="Map" className="flex flex-col" action={highest > 0 && <Scale from="1" to={formatNumber(highest)} />}>
      <figure className="my-auto">
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the list of countries does the same by keyboard */}
        <svg
          viewBox={`0 0 ${world.width} ${world.height}`}
          role="img"
          aria-label={`Map of the world, shaded by clicks from each of ${formatNumber(shares.size)} places. The list of countries has the numbers.`}
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
          {over ? (
            <Reading code={over} share={shares.get(over)} total={stats.totals.clicks} />
          ) : (
            'Choose a country to see only its clicks.'
          )}
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
  const clicks = share?.clicks ?? 0
  return (
    <>
      <span className="font-medium text-fg">{valueName('country', code)}</span>: {formatNumber(clicks)}{' '}
      {clicks === 1 ? 'click' : 'clicks'}
      {clicks > 0 && ` (${formatShare(clicks, total)})`}
    </>
  )
}

const codeAt = (target: EventTarget): string | null =>
  (target instanceof SVGElement && target.getAttribute('data-country')) || null
