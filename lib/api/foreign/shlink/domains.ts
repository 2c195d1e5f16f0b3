import { audit } from '@/lib/audit/audit'
import type { DomainRow } from '@/lib/domains/domains'
import { updateDomain } from '@/lib/domains/edit'
import { UpdateDomain } from '@/lib/domains/schemas'
import { invalidField, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { validate } from '@/lib/tools/validate'
import type { ForeignCall } from '../dialect'
import { hostNamed } from './short-urls'

const NOWHERE = { baseUrlRedirect: null, regular404Redirect: null, invalidShortUrlRedirect: null }

const redirectsOf = ({ rootUrl, notFoundUrl }: Pick<DomainRow, 'rootUrl' | 'notFoundUrl'>) => ({
  ...{ baseUrlRedirect: rootUrl, regular404Redirect: null, invalidShortUrlRedirect: notFoundUrl },
})

export async function listDomains({ ctx: { domains } }: ForeignCall) {
  const data = domains.hosts.map((host) => {
    const row = domains.find(host)
    return { domain: host, isDefault: host === domains.defaultHost, redirects: row ? redirectsOf(row) : NOWHERE }
  })
  return { domains: { data, defaultRedirects: NOWHERE } }
}

/** Where the front page of a domain and its unknown codes lead. There are no other pages that could be missing. */
export async function editRedirects({ ctx, account, address, fields }: ForeignCall) {
  const host = hostNamed(fields.domain) ?? ctx.domains.defaultHost
  const row = ctx.domains.find(host)
  if (!row) throw new TerseError('not_found', say('api.domain.none'))
  if (fields.regular404Redirect) throw invalidField('regular404Redirect', say('api.domain.noSuchRedirect'))
  const [root, missing] = [fields.baseUrlRedirect, fields.invalidShortUrlRedirect]
  const input = { ...(root !== undefined && { rootUrl: root }), ...(missing !== undefined && { notFoundUrl: missing }) }
  if (Object.keys(input).length === 0) return redirectsOf(row)
  const changes = validate(UpdateDomain, input)
  const { host: changed } = await updateDomain(ctx, row.id, changes)
  await audit(ctx, { account, address }, 'domain.change', changed, changes)
  await ctx.domains.known()
  return redirectsOf(ctx.domains.find(host) ?? row)
}
