import type { ClickFacts } from '../click'
import { cut, tidy, WIDTH } from './text'

export type Utm = Pick<ClickFacts, 'utmSource' | 'utmMedium' | 'utmCampaign' | 'utmTerm' | 'utmContent'>

const NONE: Utm = { utmSource: '', utmMedium: '', utmCampaign: '', utmTerm: '', utmContent: '' }

/** The UTM parameters of a raw query; of a repeated one the first. */
export function utmOf(query: string): Utm {
  if (query === '') return NONE
  const parameters = new URLSearchParams(query)
  const value = (name: string) => cut(tidy(parameters.get(name) ?? ''), WIDTH.utm)
  return {
    utmSource: value('utm_source'),
    utmMedium: value('utm_medium'),
    utmCampaign: value('utm_campaign'),
    utmTerm: value('utm_term'),
    utmContent: value('utm_content'),
  }
}
