import type { Config } from '@/lib/config'
import { escapeHtml } from '@/lib/tools/html'
import { type Mark, readMark } from './mark'
import { type Accents, accentsOf, schemesCss, themeCss } from './theme'

/** How this deployment looks and what it is called: said once in the settings, shown on every page and in every mail. */
export interface Brand {
  name: string
  accents: Accents
  /** For a `<style>`. */
  css: string
  /** What pages add whose readers may choose a scheme (scheme.ts). Those of the lane cannot: one answer is for all. */
  schemes: string
  /** null: Terse's own. */
  mark: Mark | null
  /** Imprint, privacy and the like, at whole addresses. */
  links: readonly { label: string; url: string }[]
  /** The icon of a browser's tab: its path here. */
  icon: { url: string; type: string }
  /** What is shown where a page of ours is shared; null: nothing. */
  image: { url: string; width: number; height: number; alt: string } | null
}

type Settings = Pick<Config, 'BASE_URL' | 'BRAND_NAME' | 'BRAND_MARK' | 'BRAND_COLOR' | 'BRAND_LINKS'>

/** @throws ConfigError for a mark that cannot be shown */
export function createBrand({ BASE_URL, BRAND_NAME, BRAND_MARK, BRAND_COLOR, BRAND_LINKS }: Settings): Brand {
  const accents = accentsOf(BRAND_COLOR)
  const mark = BRAND_MARK === undefined ? null : readMark(BRAND_MARK)
  return {
    name: BRAND_NAME,
    accents,
    css: themeCss(accents),
    schemes: schemesCss(accents),
    mark,
    links: BRAND_LINKS.map(({ label, url }) => ({ label, url: url.startsWith('/') ? BASE_URL + url : url })),
    icon: iconOf(mark, BRAND_COLOR),
    // Ours says “Terse” in Terse's colors.
    image: BRAND_NAME === TERSE && !mark && !BRAND_COLOR ? IMAGE : null,
  }
}

/** The default of BRAND_NAME. */
const TERSE = 'Terse'
const IMAGE = { url: '/opengraph-image.png', width: 1200, height: 630, alt: 'Terse: short links' }

function iconOf(mark: Mark | null, color: string | undefined): Brand['icon'] {
  if (mark) return { url: markPath(mark), type: mark.type }
  const type = 'image/svg+xml'
  return color === undefined ? { url: '/favicon.svg', type } : { url: `/assets/icon?v=${color.slice(1)}`, type }
}

const markPath = ({ version }: Mark) => `/assets/mark?v=${version}`

/** A long line made short. */
const LINES =
  '<path d="M6 9h12" stroke="var(--brand-fg)" stroke-width="2.5" stroke-linecap="round" opacity=".55"/>' +
  '<path d="M6 15h5" stroke="var(--brand-fg)" stroke-width="2.5" stroke-linecap="round"/>'
const TILE = '<rect width="24" height="24" rx="7" fill="var(--brand)"/>'

/**
 * The mark as HTML, 24 pixels high. Decorative: the name stands beside it.
 * @param origin for pages at other hosts than BASE_URL's
 */
export function markHtml({ mark }: Pick<Brand, 'mark'>, origin = ''): string {
  if (!mark) return `<svg width="24" height="24" viewBox="0 0 24 24" fill="none" aria-hidden="true">${TILE}${LINES}</svg>`
  return `<img src="${escapeHtml(origin + markPath(mark))}" width="${Math.round(24 * mark.ratio)}" height="24" alt="">`
}

/** Terse's mark in the colors of the deployment, as a file. */
export function iconSvg({ accents: { light, dark } }: Pick<Brand, 'accents'>): string {
  const variables = ({ brand, brandFg }: Accents['light']) => `svg{--brand:${brand};--brand-fg:${brandFg}}`
  const style = `<style>${variables(light)}@media (prefers-color-scheme:dark){${variables(dark)}}</style>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24" fill="none">${style}${TILE}${LINES}</svg>`
}
