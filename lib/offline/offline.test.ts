import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createBrand } from '@/lib/brand/brand'
import { LANGUAGES, negotiate } from '@/lib/i18n/languages'
import { OfflinePages } from './offline'

const pages = new OfflinePages(
  createBrand({
    ...{
      BASE_URL: 'http://terse.test',
      BRAND_NAME: 'Kurz & gut',
      BRAND_MARK: undefined,
      BRAND_COLOR: undefined,
      BRAND_LINKS: [],
    },
  }),
)

describe('the page that opens without a network', () => {
  it.each(Object.keys(LANGUAGES))('in %s says whose it is, has all its parts in itself, and allows just these', (language) => {
    const { html, policy, worker } = pages.in(negotiate('', language))
    expect(html).toContain('Kurz &amp; gut')
    expect(html).not.toMatch(/offline\.\w+<|(src|href)="http|<link /)
    const scripts = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => script)
    expect(scripts).toHaveLength(2)
    for (const script of scripts) {
      expect(policy).toContain(`'sha256-${createHash('sha256').update(script).digest('base64')}'`)
    }
    expect(worker).toMatch(new RegExp(`^/assets/worker\\.js\\?language=${language}&v=[0-9a-f]{12}$`))
  })
})
