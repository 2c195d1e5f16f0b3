import { runtime } from '@/lib/runtime'
import { accountEndpoints } from './account'
import { adminEndpoints } from './admin/endpoints'
import { authEndpoints } from './auth'
import { type Endpoint, openEndpoint } from './endpoint'
import { jobEndpoints } from './jobs'
import { linkEndpoints } from './links'
import { documentOf } from './openapi'
import { postReport } from './reports'
import { statsEndpoints } from './stats'

/** What is documented, in the order in which a newcomer wants it. */
const DOCUMENTED: readonly Endpoint[] = [
  ...linkEndpoints,
  ...statsEndpoints,
  postReport,
  ...jobEndpoints,
  ...accountEndpoints,
  ...adminEndpoints,
]

export const openApiDocument = documentOf(DOCUMENTED)

/** Every endpoint there is. Whatever has to know them all, as the router and the tests do, reads it here. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...DOCUMENTED,
  openEndpoint({ method: 'GET', path: '/api/v1/openapi.json', summary: 'Describe the API', answers: {} }, async () =>
    Response.json(openApiDocument((await runtime()).config.BASE_URL)),
  ),
  ...authEndpoints,
]
