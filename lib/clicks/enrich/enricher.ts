import type { CapturedClick, ClickFacts } from '../click'
export function createEnricher(_o: { database: string | undefined; warn: (message: string) => void }) {
  return {
    async ready(_clicks: readonly CapturedClick[]): Promise<void> {},
    enrich(c: CapturedClick): ClickFacts {
      return {
        kind: 'person',
        country: c.country,
        city: '',
        browser: '',
        os: '',
        device: '',
        language: '',
        referrer: '',
        referrerUrl: c.referrer.slice(0, 1024),
        userAgent: c.userAgent,
        utmSource: '',
        utmMedium: '',
        utmCampaign: '',
        utmTerm: '',
        utmContent: '',
      }
    },
  }
}
