import { byKey } from '@/lib/accounts/identify'
import { CHANGES, type Dialect, foreignEndpoint, READS } from '../dialect'
import { BITLY_FACETS, clicks, groupClicks, metricsOf, referrersByDomains, summary } from './clicks'
import { bitlinks, bsds, group, groups, organization, organizations, sortedBitlinks, tags, user } from './groups'
import { addCustom, create, edit, expand, read, readCustom, remove, shorten } from './links'
import { refuse } from './problem'

const CREATES = { ...CHANGES, limit: 'post' } as const

const ONE = '/v4/bitlinks/{bitlink+}'
const GROUP = '/v4/groups/{group}'

/** How its pages call these. */
const named = (facet: string) => facet.replaceAll('_', ' ')

/** The API of Bitly, version 4. A link is named by its domain and code: `/v4/bitlinks/go.example.com/spring-sale`. */
export const bitly: Dialect = {
  // What has a longer path comes first: codes can have several segments.
  endpoints: [
    foreignEndpoint('POST /v4/shorten', { ...CREATES, summary: 'Shorten a URL' }, shorten),
    foreignEndpoint('POST /v4/expand', { ...READS, summary: 'Tell where a link leads' }, expand),
    foreignEndpoint('POST /v4/bitlinks', { ...CREATES, summary: 'Create a link' }, create),
    foreignEndpoint(`GET ${ONE}/clicks`, { ...READS, summary: 'Retrieve clicks by unit of time' }, clicks),
    foreignEndpoint(`GET ${ONE}/clicks/summary`, { ...READS, summary: 'Count clicks' }, summary),
    ...BITLY_FACETS.map((facet) =>
      foreignEndpoint(
        `GET ${ONE}/${facet}`,
        { ...READS, summary: `Retrieve clicks by ${named(facet)}` },
        metricsOf(facet, 'link'),
      ),
    ),
    foreignEndpoint(
      `GET ${ONE}/referrers_by_domains`,
      { ...READS, summary: 'Retrieve clicks by referrers of each network' },
      referrersByDomains,
    ),
    foreignEndpoint(`GET ${ONE}`, { ...READS, summary: 'Retrieve a link' }, read),
    foreignEndpoint(`PATCH ${ONE}`, { ...CHANGES, summary: 'Edit a link' }, edit),
    foreignEndpoint(`DELETE ${ONE}`, { ...CHANGES, summary: 'Delete a link' }, remove),
    foreignEndpoint(
      'POST /v4/custom_bitlinks',
      { ...CREATES, summary: 'Create another link to the same destination, with a code of your choice' },
      addCustom,
    ),
    foreignEndpoint('GET /v4/custom_bitlinks/{custom+}', { ...READS, summary: 'Retrieve a link by its code' }, readCustom),
    foreignEndpoint('GET /v4/groups', { ...READS, summary: 'List the one group of the account' }, groups),
    foreignEndpoint(`GET ${GROUP}`, { ...READS, summary: 'Retrieve that group' }, group),
    foreignEndpoint(`GET ${GROUP}/bitlinks`, { ...READS, summary: 'List links' }, bitlinks),
    foreignEndpoint(`GET ${GROUP}/bitlinks/clicks`, { ...READS, summary: 'List the most clicked links' }, sortedBitlinks),
    foreignEndpoint(`GET ${GROUP}/clicks`, { ...READS, summary: 'Retrieve clicks of all links by unit of time' }, groupClicks),
    ...BITLY_FACETS.map((facet) =>
      foreignEndpoint(
        `GET ${GROUP}/${facet}`,
        { ...READS, summary: `Retrieve clicks of all links by ${named(facet)}` },
        metricsOf(facet, 'group'),
      ),
    ),
    foreignEndpoint(`GET ${GROUP}/tags`, { ...READS, summary: 'List tags' }, tags),
    foreignEndpoint('GET /v4/organizations', { ...READS, summary: 'List the one organization of the account' }, organizations),
    foreignEndpoint('GET /v4/organizations/{organization}', { ...READS, summary: 'Retrieve that organization' }, organization),
    foreignEndpoint('GET /v4/bsds', { ...READS, summary: 'List domains besides the default one' }, bsds),
    foreignEndpoint('GET /v4/user', { ...READS, summary: 'Retrieve the account' }, user),
  ],
  // A client sends the key alone.
  identify: async (ctx, { request }) => {
    const key = request.headers.get('authorization')?.replace(/^bearer\s+/i, '')
    return key ? byKey(ctx, key) : null
  },
  refuse,
  keyHeaders: ['Authorization'],
}
