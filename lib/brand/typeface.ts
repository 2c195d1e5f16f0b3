import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The letters of western Europe in the app's typeface, for pages that the framework does not write. */
const FILE = 'node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2'
const TYPEFACE_URL = '/assets/geist.woff2'

/** A WOFF2 file. Found from the working folder, as a bundle has no place. */
export const readTypeface = () => readFile(join(/* turbopackIgnore: true */ process.cwd(), FILE))

/**
 * The rule that loads it, and shows other letters until it is there.
 * @param origin of the app; pages of links stand under other hosts too
 */
export const typefaceCss = (origin: string) =>
  `@font-face{font-family:Geist;font-weight:100 900;font-display:swap;src:url(${origin}${TYPEFACE_URL}) format("woff2")}`

/** Asks for it before the style is read. */
export const typefacePreload = (origin: string) =>
  `<link rel="preload" as="font" type="font/woff2" crossorigin href="${origin}${TYPEFACE_URL}">`
