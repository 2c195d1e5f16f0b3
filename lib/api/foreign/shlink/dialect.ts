import { byKey } from '@/lib/accounts/identify'
import { json } from '../../problem'
import { CHANGES, type Dialect, type ForeignCall, type ForeignSpec, foreignEndpoint, READS } from '../dialect'
import { editRedirects, listDomains } from './domains'
import { problemAs, refuse } from './problem'
import { create, createAtOnce, edit, list, read, readRules, remove, setRules } from './short-urls'
import { deleteTags, listTags, renameTag, tagsStats } from './tags'
import { deleteOrphans, deleteVisits, ofAll, ofDomain, ofShortUrl, ofTag, orphans, overview } from './visits'

/** The release whose answers these are: its web client shows what that has. */
const VERSION = '5.1.5'

const OPEN: Pick<ForeignSpec, 'limit' | 'needs' | 'changes'> = { limit: 'api', needs: 'nothing', changes: false }
/** Without asking the database: monitors ask often, and /readyz tells what is wrong. */
const health = async () =>
  json(
    200,
    { status: 'pass', version: VERSION, links: { about: 'https://shlink.io', project: 'https://github.com/shlinkio/shlink' } },
    { 'Content-Type': 'application/health+json' },
  )

const noHub = async ({ params }: ForeignCall) =>
  problemAs({
    ...{ kind: 'mercure-not-configured', status: 501, version: params.version },
    detail: 'This Shlink instance is not integrated with a mercure hub.',
  })

const BASE = '/rest/v{version}'
const ONE = `${BASE}/short-urls/{code+}` as const

/** The REST API of Shlink. All its versions answer alike, but for the names of errors. */
export const shlink: Dialect = {
  // What has a longer path comes first: codes can have several segments.
  endpoints: [
    foreignEndpoint('GET /rest/health', { ...OPEN, summary: 'Check the API' }, health),
    foreignEndpoint(`GET ${BASE}/health`, { ...OPEN, summary: 'Check the API' }, health),
    foreignEndpoint(`GET ${ONE}/visits`, { ...READS, summary: 'List the visits of a short URL' }, ofShortUrl),
    foreignEndpoint(`DELETE ${ONE}/visits`, { ...CHANGES, summary: 'Refused: clicks that were counted stay' }, deleteVisits),
    foreignEndpoint(`GET ${ONE}/redirect-rules`, { ...READS, summary: 'List the redirect rules of a short URL' }, readRules),
    foreignEndpoint(`POST ${ONE}/redirect-rules`, { ...CHANGES, summary: 'Replace the redirect rules of a short URL' }, setRules),
    foreignEndpoint(
      `GET ${BASE}/short-urls/shorten`,
      { ...CHANGES, limit: 'post', summary: 'Create a short URL, by its query alone' },
      createAtOnce,
    ),
    foreignEndpoint(`GET ${BASE}/short-urls`, { ...READS, summary: 'List short URLs' }, list),
    foreignEndpoint(`POST ${BASE}/short-urls`, { ...CHANGES, limit: 'post', summary: 'Create a short URL' }, create),
    foreignEndpoint(`GET ${ONE}`, { ...READS, summary: 'Retrieve a short URL' }, read),
    foreignEndpoint(`PATCH ${ONE}`, { ...CHANGES, summary: 'Edit a short URL' }, edit),
    foreignEndpoint(`DELETE ${ONE}`, { ...CHANGES, summary: 'Delete a short URL' }, remove),
    foreignEndpoint(`GET ${BASE}/visits`, { ...READS, summary: 'Count all visits' }, overview),
    foreignEndpoint(`GET ${BASE}/visits/non-orphan`, { ...READS, summary: 'List visits of all short URLs' }, ofAll),
    foreignEndpoint(`GET ${BASE}/visits/orphan`, { ...READS, summary: 'An empty list: unknown codes are not kept' }, orphans),
    foreignEndpoint(
      `DELETE ${BASE}/visits/orphan`,
      { ...CHANGES, summary: 'Delete none: unknown codes are not kept' },
      deleteOrphans,
    ),
    foreignEndpoint(`GET ${BASE}/tags/{tag+}/visits`, { ...READS, summary: 'List visits of a tag' }, ofTag),
    foreignEndpoint(`GET ${BASE}/domains/{domain}/visits`, { ...READS, summary: 'List visits of a domain' }, ofDomain),
    foreignEndpoint(`GET ${BASE}/tags/stats`, { ...READS, summary: 'List tags with their numbers' }, tagsStats),
    foreignEndpoint(`GET ${BASE}/tags`, { ...READS, summary: 'List tags' }, listTags),
    foreignEndpoint(`PUT ${BASE}/tags`, { ...CHANGES, summary: 'Rename a tag' }, renameTag),
    foreignEndpoint(`DELETE ${BASE}/tags`, { ...CHANGES, summary: 'Delete tags' }, deleteTags),
    foreignEndpoint(`GET ${BASE}/domains`, { ...READS, summary: 'List domains' }, listDomains),
    foreignEndpoint(
      `PATCH ${BASE}/domains/redirects`,
      { limit: 'account', needs: 'admin', changes: true, summary: 'Set where a domain leads, as an admin' },
      editRedirects,
    ),
    foreignEndpoint(`GET ${BASE}/mercure-info`, { ...READS, summary: 'Refused: there is no hub' }, noHub),
  ],
  identify: async (ctx, { request, query }) => {
    const { pathname } = new URL(request.url)
    const key = pathname.endsWith('/short-urls/shorten') ? query.get('apiKey') : request.headers.get('x-api-key')
    return key ? byKey(ctx, key) : null
  },
  refuse,
  keyHeaders: ['X-Api-Key'],
}
