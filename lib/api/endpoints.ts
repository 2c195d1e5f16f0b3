import { runtime } from '@/lib/runtime'
import * as account from './account'
import * as accounts from './admin/accounts'
import * as blocklist from './admin/blocklist'
import * as domains from './admin/domains'
import * as allLinks from './admin/links'
import * as allReports from './admin/reports'
import * as system from './admin/system'
import { getAuth, postAuth } from './auth'
import { type Endpoint, openEndpoint } from './endpoint'
import * as jobs from './jobs'
import * as links from './links'
import { documentOf } from './openapi'
import * as reports from './reports'
import * as stats from './stats'

/** By subject, in the order of the documentation. Each endpoint that a subject exports is in the table. */
const DOCUMENTED = [links, stats, reports, jobs, account, allLinks, allReports, accounts, blocklist, domains, system].flatMap(
  endpointsOf,
)

export const openApiDocument = documentOf(DOCUMENTED)

/** Every endpoint there is. The router and the tests that have to know them all read it here. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...DOCUMENTED,
  openEndpoint('GET /api/v1/openapi.json', async () => Response.json(openApiDocument((await runtime()).config.BASE_URL))),
  getAuth,
  postAuth,
]

function endpointsOf(subject: Record<string, unknown>): Endpoint[] {
  const isEndpoint = (value: unknown): value is Endpoint => typeof value === 'function' && 'spec' in value
  return Object.values(subject)
    .filter(isEndpoint)
    .sort((a, b) => (a.spec.path < b.spec.path ? -1 : 1))
}
