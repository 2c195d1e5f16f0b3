import type { Metrics } from '@/lib/metrics'
import { HSTS, isHttps } from '@/lib/net/host'
import type { AnswerContext } from '@/lib/redirect/answer'
import type { Runtime } from './runtime'

/** What answering requests for codes takes from the runtime; the lane and the route handler share it. */
export function laneContext(runtime: Runtime): AnswerContext & { metrics: Metrics } {
  const { lookup, domains, visits, clicks, clickLimit, guesses, passwordTries, metrics, config } = runtime
  return {
    lookup,
    domains,
    visits,
    capture: clicks.capture,
    clickLimit,
    countryHeader: config.COUNTRY_HEADER,
    guesses,
    passwordTries,
    metrics,
    baseUrl: config.BASE_URL,
    always: isHttps(config.BASE_URL) ? [...HSTS] : [],
    policy: {
      referrerPolicy: config.REFERRER_POLICY,
      cdnSeconds: config.CDN_CACHE_SECONDS,
      quarantine: config.CODE_REUSE_AFTER,
    },
  }
}
