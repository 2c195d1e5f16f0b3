import { localeOf } from '@/lib/i18n/languages'
import { limitKey } from '@/lib/net/address'
import { UNKNOWN_CLIENT } from '@/lib/net/clients'
import { runtime } from '@/lib/runtime'
import * as account from './account'
import * as accounts from './accounts'
import { getAuth, postAuth } from './auth'
import * as blocklist from './blocklist'
import * as domains from './domains'
import { type Endpoint, openEndpoint } from './endpoint'
import * as jobs from './jobs'
import * as links from './links'
import * as linksAdmin from './links-admin'
import { documentOf } from './openapi'
import { json, problem } from './problem'
import * as reports from './reports'
import * as stats from './stats'
import * as system from './system'

/** By subject, in the order of the documentation, those of admins last. Each endpoint that a subject exports is in the table. */
const DOCUMENTED = [links, stats, linksAdmin, reports, jobs, account, accounts, blocklist, domains, system]
  .flatMap(endpointsOf)
  .sort((a, b) => Number(isOfAdmins(a)) - Number(isOfAdmins(b)))

export const openApiDocument = documentOf(DOCUMENTED)

/** Every endpoint there is. The router and the tests that have to know them all read it here. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...DOCUMENTED,
  openEndpoint('GET /api/v1/openapi.json', description),
  getAuth,
  postAuth,
]

/** For everyone, also for banned accounts; as it takes milliseconds to make, not without end. */
async function description({ headers }: Request): Promise<Response> {
  const { config, limits, scope } = await runtime()
  const { address } = scope.getStore()?.client ?? UNKNOWN_CLIENT
  try {
    await limits.consume('api', limitKey(address))
    return json(200, openApiDocument(config))
  } catch (error) {
    return problem(error, localeOf(headers))
  }
}

function endpointsOf(subject: Record<string, unknown>): Endpoint[] {
  const isEndpoint = (value: unknown): value is Endpoint => typeof value === 'function' && 'spec' in value
  return Object.values(subject)
    .filter(isEndpoint)
    .sort((a, b) => (a.spec.path < b.spec.path ? -1 : 1))
}

function isOfAdmins({ spec }: Endpoint): boolean {
  return spec.path.startsWith('/api/v1/admin/')
}
