import { type Brand, createBrand } from '@/lib/brand/brand'
import { VisitorPages } from '@/lib/redirect/pages'

type Settings = Parameters<typeof createBrand>[0]

const TERSE: Settings = {
  BASE_URL: 'https://go.example.com',
  BRAND_NAME: 'Terse',
  BRAND_MARK: undefined,
  BRAND_COLOR: undefined,
  BRAND_LINKS: [],
}

/** Terse's own look, but for what is given. */
export const testBrand = (given: Partial<Settings> = {}): Brand => createBrand({ ...TERSE, ...given })

/** The pages that visitors of such a deployment see. */
export const visitorPages = (given: Partial<Settings> = {}, open = true): VisitorPages =>
  new VisitorPages({ brand: testBrand(given), baseUrl: given.BASE_URL ?? TERSE.BASE_URL, open })
