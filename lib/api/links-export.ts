import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { z } from 'zod'
import { audit } from '@/lib/audit/audit'
import { invalidField } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { type ExportFile, exportFile, FILE_FORMATS } from '@/lib/leaving/export-file'
import type { LinkContext } from '@/lib/links/context'
import type { WhichLinks } from '@/lib/links/pages'
import { endpoint } from './endpoint'
import { download } from './stream'

const ExportQuery = z.strictObject({
  format: z.enum(FILE_FORMATS).default('csv').meta({
    description:
      'What an import reads: `csv`, `json` for an object with an array `links`, or `jsonl` for one object per line. Or redirects for other servers: `nginx` and `apache` for a map, `redirects` for the `_redirects` of Netlify and Cloudflare, `s3-rules` and `s3-objects` for a bucket, `node` for the data of `/assets/terse-redirects.mjs`.',
  }),
  // Not `domain`: with that, a request is for the link whose code is “export” there.
  host: z.string().max(253).optional().meta({
    description:
      'Only links of this domain. Files of `redirects`, `s3-rules` and `s3-objects` are for one domain: without this, the default domain.',
  }),
  gzip: z.enum(['true', 'false']).optional().meta({ description: 'Whether to return a `.gz` file.' }),
})

export const getExport = endpoint(
  'GET /api/v1/links/export',
  {
    id: 'exportLinks',
    summary: 'Export your links',
    description:
      'Returns all your links, oldest first, with everything that an import reads, or as redirects for another server. Redirects say at their beginning what they can’t carry, and at their end how many links that was. Spoken numbers are left out. Password hashes are only included for a signed-in browser, not for API keys; an import of links without them creates links without a password.',
    auth: 'account',
    proof: 'key',
    limit: 'upload',
    query: ExportQuery,
    answers: { 200: ['The links', z.string(), 'text/csv'] },
  },
  async ({ ctx, account, session, request, query: { format, host, gzip } }) => {
    const which = { ownerId: account.id, ...domainOf(ctx, host) }
    const asked = { which, format, passwords: session !== null, now: Date.now() }
    return sent(exportFile(ctx, asked), gzip === 'true', request.signal)
  },
)

/**
 * Everything: what `npm run export` writes, for admins who have no command. With password hashes and owners it is all that lets
 * someone else take over, so who asks shows who they are, and it is written down before it begins.
 */
export const getAdminExport = endpoint(
  'GET /api/v1/admin/export',
  {
    id: 'exportAllLinks',
    summary: 'Export all links',
    description:
      'Returns the links of all accounts, oldest first, as `npm run export` writes them: with password hashes, and the email of each owner, which an import takes. The audit log names who asked.',
    auth: 'admin',
    proof: 'recent',
    limit: 'upload',
    query: ExportQuery,
    answers: { 200: ['The links', z.string(), 'text/csv'] },
  },
  async ({ ctx, account, address, request, query: { format, host, gzip } }) => {
    await audit(ctx, { account, address }, 'links.export', host ?? '', { format })
    const asked = { which: domainOf(ctx, host), format, passwords: true, owners: true, now: Date.now() }
    return sent(exportFile(ctx, asked), gzip === 'true', request.signal)
  },
)

/** A file as it is made, packed where that was asked for. */
function sent({ name, type, pieces }: ExportFile, isPacked: boolean, signal: AbortSignal): Response {
  if (!isPacked) return download(pieces, { name, type, signal })
  return download(Readable.from(pieces).compose(createGzip()), { name: `${name}.gz`, type: 'application/gzip', signal })
}

/** @throws TerseError 'validation_failed' for a domain that is not there */
function domainOf({ domains }: Pick<LinkContext, 'domains'>, name: string | undefined): Pick<WhichLinks, 'domain'> {
  if (name === undefined) return {}
  const found = domains.find(name)
  if (!found) throw invalidField('host', say('api.link.domain'))
  return { domain: { id: found.id, host: found.host } }
}
