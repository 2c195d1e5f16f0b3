/** Where things of a line chart are, in pixels. */

export interface Scale {
  x: (index: number) => number
  y: (value: number) => number
  /** Values at which lines are drawn, from 0 up. */
  ticks: number[]
  /** Indices of the points that are named under the axis. */
  named: number[]
}

export interface Box {
  width: number
  height: number
  left: number
  right: number
  top: number
  bottom: number
}

const NAME_WIDTH = 84

/** @param unit names fall on multiples of so many points, counted from the first */
export function scaleOf(count: number, highest: number, box: Box, unit: number): Scale {
  const [inner, tall] = [box.width - box.left - box.right, box.height - box.top - box.bottom]
  const ticks = ticksTo(highest)
  const top = ticks.at(-1) ?? 1
  const atMost = Math.max(2, Math.floor(inner / NAME_WIDTH))
  const every = Math.max(1, Math.ceil(count / atMost / unit)) * unit
  return {
    x: (index) => box.left + (count > 1 ? (index / (count - 1)) * inner : inner / 2),
    y: (value) => box.top + tall - (value / top) * tall,
    ticks,
    named: Array.from({ length: Math.ceil(count / every) }, (_, step) => step * every),
  }
}

/** Three or four round numbers up to at least `highest`. Clicks are whole, and so are these. */
export function ticksTo(highest: number): number[] {
  const rough = Math.max(1, highest / 3)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(1, [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((it) => it >= rough && it % 1 === 0) ?? 1)
  const count = Math.max(1, Math.ceil(highest / step))
  return Array.from({ length: count + 1 }, (_, index) => index * step)
}

export function linePath(values: number[], { x, y }: Scale): string {
  return values.map((value, index) => `${index === 0 ? 'M' : 'L'}${round(x(index))} ${round(y(value))}`).join('')
}

export function areaPath(values: number[], scale: Scale): string {
  const [first, last] = [round(scale.x(0)), round(scale.x(values.length - 1))]
  const floor = round(scale.y(0))
  return values.length === 0 ? '' : `${linePath(values, scale)}L${last} ${floor}L${first} ${floor}Z`
}

const round = (value: number) => Math.round(value * 10) / 10
