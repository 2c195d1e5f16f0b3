import { limitKey } from '@/lib/net/address'
import { UNKNOWN_CLIENT } from '@/lib/net/clients'
import { runtime } from '@/lib/runtime'
import * as account from './account'
import * as accounts from './accounts'
import { getAuth, postAuth } from './auth'
import * as blocklist from './blocklist'
import * as conversions from './conversions'
import * as destinations from './destinations'
import * as domains from './domains'
import { type Endpoint, openEndpoint } from './endpoint'
import * as history from './history'
import * as jobs from './jobs'
import * as labels from './labels'
import * as links from './links'
import * as linksAdmin from './links-admin'
import * as linksExport from './links-export'
import * as linksImport from './links-import'
import * as moving from './moving'
import { documentOf } from './openapi'
import * as previews from './previews'
import { json, problemOf } from './problem'
import * as qr from './qr'
import * as reports from './reports'
import * as series from './series'
import * as shares from './shares'
import * as stats from './stats'
import * as system from './system'
import * as utm from './utm'
import * as webhooks from './webhooks'

/** By subject, in the order of the documentation, those of admins last. Each endpoint that a subject exports is in the table. */
const DOCUMENTED = [
  links,
  linksImport,
  linksExport,
  moving,
  series,
  qr,
  labels,
  utm,
  history,
  previews,
  stats,
  conversions,
  shares,
  webhooks,
  linksAdmin,
  reports,
  jobs,
  account,
  accounts,
  blocklist,
  destinations,
  domains,
  system,
]
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
async function description(request: Request): Promise<Response> {
  const ctx = await runtime()
  const { config, limits, scope } = ctx
  const { address } = scope.getStore()?.client ?? UNKNOWN_CLIENT
  try {
    await limits.consume('api', limitKey(address))
    return json(200, openApiDocument(config))
  } catch (error) {
    return problemOf(ctx, request, error)
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
