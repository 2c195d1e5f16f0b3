import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { readPrismaSchema } from '@/lib/testing/prisma-schema'
import { memo } from '@/lib/tools/memo'
import type { CapturedClick, ClickFacts } from '../click'
import { CLICK_KINDS } from '../dimensions'
import { SHARED_TABLES } from '../shared-facts'
import { createEnricher } from './enricher'

const CLICK: CapturedClick = {
  linkId: '1',
  at: 0,
  visitor: '0011223344556677',
  network: '141.35.1.0',
  country: '',
  referrer: 'https://www.example.com/page',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0',
  language: 'de-DE,de;q=0.9',
  query: 'utm_source=mail',
  destination: '',
}

const enricher = createEnricher({ warn: vi.fn() })

describe('the facts of a click', () => {
  it('are all there', async () => {
    await enricher.ready([CLICK])
    expect(enricher.enrich(CLICK)).toEqual({
      kind: 'person',
      country: 'DE',
      city: 'Jena, DE',
      browser: 'Firefox',
      os: 'Linux',
      device: 'desktop',
      language: 'de',
      referrer: 'example.com',
      referrerUrl: 'https://www.example.com/page',
      userAgent: CLICK.userAgent,
      utmSource: 'mail',
      utmMedium: '',
      utmCampaign: '',
      utmTerm: '',
      utmContent: '',
      destination: '',
    })
  })

  it('have the destination that it led to, each its own', () => {
    for (const destination of ['https://a.example/', 'https://b.example/', '']) {
      expect(enricher.enrich({ ...CLICK, destination }).destination).toBe(destination)
    }
  })

  it('have the country that a proxy names, and no city of another', async () => {
    await enricher.ready([CLICK])
    expect(enricher.enrich({ ...CLICK, country: 'DE' })).toMatchObject({ country: 'DE', city: 'Jena, DE' })
    expect(enricher.enrich({ ...CLICK, country: 'FR' })).toMatchObject({ country: 'FR', city: '' })
  })

  it('are the same the second time', () => {
    expect(enricher.enrich(CLICK)).toEqual(enricher.enrich({ ...CLICK }))
  })

  it('fit their columns, whatever a client sends', async () => {
    const columns = readPrismaSchema().flatMap((model) =>
      SHARED_TABLES.some(({ table }) => table === model.name) ? model.columns : [],
    )
    const widthOf = (field: string) =>
      Number(/varchar\((\d+)\)/.exec(columns.find(({ name }) => name === field)?.type ?? '')?.[1])
    const wild = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 3_000 }),
      fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)), maxLength: 1_500 }),
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc
        .tuple(fc.constantFrom(CLICK.userAgent, 'https://example.com/', 'utm_source=', 'curl/'), fc.string({ unit: 'binary' }))
        .map((parts) => parts.join('')),
      fc.ipV4(),
      fc.ipV6(),
    )
    const anyClick = fc.record({
      network: wild,
      country: wild,
      referrer: wild,
      userAgent: wild,
      language: wild,
      query: wild,
      destination: wild,
    })
    await fc.assert(
      fc.asyncProperty(anyClick, async (captured) => {
        await enricher.ready([{ ...CLICK, ...captured }])
        const { kind, ...facts }: ClickFacts = enricher.enrich({ ...CLICK, ...captured })
        expect(CLICK_KINDS).toContain(kind)
        for (const [field, text] of Object.entries(facts)) {
          expect([field, [...text].length <= widthOf(field)]).toEqual([field, true])
          expect(text).not.toMatch(/[\p{Cc}\p{Cs}]/u)
        }
        expect(facts.referrerUrl).not.toContain('#')
      }),
      { numRuns: 500 },
    )
  })
})

describe('what is remembered', () => {
  it('is bounded in number and in size, and worked out once', () => {
    const work = vi.fn((text: string) => ({ text }))
    const remembered = memo(work, { entries: 3, characters: 10 })
    for (const text of ['a', 'a', 'b', 'c', 'a']) remembered(text)
    expect(work).toHaveBeenCalledTimes(3)
    remembered('d')
    remembered('b')
    expect(work).toHaveBeenCalledTimes(5)
    remembered('too long to be kept')
    remembered('too long to be kept')
    expect(work).toHaveBeenCalledTimes(7)
  })
})
