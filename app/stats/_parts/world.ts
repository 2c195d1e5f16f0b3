import { type GeoContext, geoEqualEarth, geoPath } from 'd3-geo'
import type { Feature, FeatureCollection } from 'geojson'
import { numericToAlpha2 } from 'i18n-iso-countries'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import atlas from 'world-atlas/countries-110m.json'

/**
 * The map of the world as SVG paths. Worked out on the server and once: a browser gets the paths, and neither
 * the atlas nor the programs that draw it. Equal Earth, since shading of a country weighs by its area.
 */

export interface World {
  width: number
  height: number
  countries: Country[]
}

export interface Country {
  /** ISO 3166-1 alpha-2, or '' for land that no click is ever placed in. */
  code: string
  path: string
}

const WIDTH = 1200
const ANTARCTICA = 'AQ'
/** What the atlas draws without a number, by the code under which clicks from there are counted. */
const UNNUMBERED: Record<string, string> = { Kosovo: 'XK', 'N. Cyprus': 'CY', Somaliland: 'SO' }

let world: World | undefined

export function worldShapes(): World {
  world ??= draw()
  return world
}

function draw(): World {
  const topology = atlas as unknown as Topology<{ countries: GeometryCollection<{ name: string }> }>
  const { features } = feature(topology, topology.objects.countries)
  // Nobody clicks there, and it would take a fifth of the height.
  const shown: FeatureCollection = { type: 'FeatureCollection', features: features.filter((it) => codeOf(it) !== ANTARCTICA) }
  const projection = geoEqualEarth().fitWidth(WIDTH, shown)
  const [, [, bottom]] = geoPath(projection).bounds(shown)
  const countries = shown.features.map((country) => {
    const pen = new Pen()
    geoPath(projection, pen)(country)
    return { code: codeOf(country), path: pen.path }
  })
  return { width: WIDTH, height: Math.ceil(bottom), countries }
}

function codeOf({ id, properties }: Feature): string {
  return id === undefined ? (UNNUMBERED[String(properties?.name)] ?? '') : (numericToAlpha2(String(id)) ?? '')
}

/** Writes whole numbers, each relative to the last: a third of the length of absolute decimals. */
class Pen implements GeoContext {
  path = ''
  private x = 0
  private y = 0
  private startX = 0
  private startY = 0

  moveTo(x: number, y: number): void {
    this.path += `m${this.step(x, y)}`
    this.startX = this.x
    this.startY = this.y
  }

  lineTo(x: number, y: number): void {
    const stays = Math.round(x) === this.x && Math.round(y) === this.y
    if (!stays) this.path += `l${this.step(x, y)}`
  }

  closePath(): void {
    this.path += 'z'
    this.x = this.startX
    this.y = this.startY
  }

  beginPath(): void {}

  arc(): void {
    throw new Error('there are no points in this atlas')
  }

  private step(x: number, y: number): string {
    const dx = Math.round(x) - this.x
    const dy = Math.round(y) - this.y
    this.x += dx
    this.y += dy
    return dy < 0 ? `${dx}${dy}` : `${dx} ${dy}`
  }
}
