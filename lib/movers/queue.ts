import { nextId } from '@/lib/db/id'
import { TerseError } from '@/lib/errors'
import { type Message, say } from '@/lib/i18n/message'
import type { JobView } from '@/lib/jobs/schemas'
import { createJob, type JobMaker } from '@/lib/jobs/store'
import type { LinkContext } from '@/lib/links/context'
import { type ImportInput, type ImportOptions, queueImport, requireImporter } from '@/lib/links/import-queue'
import { parseUrl } from '@/lib/tools/url'
import { MOVERS } from './kinds'
import type { Columns } from './mover'
import { placer } from './place'
import { readMoved } from './read'
import { insertSource } from './source'
import { CASELESS, type MovedFrom } from './sources'

/** What is said of links that are taken over, wherever they come from. */
export interface Moving {
  from: MovedFrom
  /** The domain they are all put on; else each on its own where that is ours. */
  domain?: string | undefined
  dryRun?: boolean
  owners?: ImportOptions['owners']
}

/** A file of another system. */
export interface MovingFile extends Moving {
  bytes: AsyncIterable<Uint8Array>
  /** What columns are, by their names, where the guess is wrong. */
  columns?: Columns | undefined
  /** The site that paths in destinations belong to. */
  site?: string | undefined
}

/** Queues the import of a file of another system. @throws TerseError as `queueImport` */
export async function queueFile(ctx: LinkContext, by: JobMaker, file: MovingFile): Promise<JobView> {
  const { from, bytes, domain, columns, dryRun = false, owners = {} } = file
  const site = file.site === undefined ? null : addressOf(file.site)
  const place = placer(ctx.domains, knownDomain(ctx, domain))
  const foreign = {
    bytes,
    async *read(bytes: AsyncIterable<Uint8Array>, told: Parameters<typeof readMoved>[1]) {
      for await (const rows of readMoved({ mover: MOVERS[from], bytes, columns: columns ?? {}, site }, told))
        yield rows.map(place)
    },
  }
  const remark = (title: Message) => ofAnyCase(ctx, from, domain, title)
  return queueImport(ctx, by, foreign, { dryRun, reuse: true, owners, remark })
}

/** Another system that is asked for its links. */
export interface MovingLive extends Moving {
  address?: string | undefined
  key?: string | undefined
}

/**
 * Queues the import of all links that another system lists by its API.
 * @throws TerseError 'validation_failed', 'forbidden', 'conflict', 'unavailable'
 */
export async function queueLive(
  ctx: LinkContext,
  by: JobMaker,
  { from, key = '', domain, dryRun, address, owners = {} }: MovingLive,
): Promise<JobView> {
  await requireImporter(ctx, by)
  const { live } = MOVERS[from]
  if (!live) throw new TerseError('validation_failed', say('api.move.noList', { from }))
  const url = live.key === null ? fileAt(address ?? '') : addressOf(address || live.address || '')
  const known = knownDomain(ctx, domain)
  const input: ImportInput = {
    reuse: true,
    ...(Object.keys(owners).length > 0 && { owners: { ...owners } }),
    live: { from, address: url.href, ...(known !== undefined && { domain: known }) },
  }
  const id = nextId()
  return createJob(ctx, by, {
    kind: 'import',
    title: dryRun
      ? ofAnyCase(ctx, from, known, say('api.job.moveCheck', { host: url.host }))
      : say('api.job.move', { host: url.host }),
    input,
    // Not known yet.
    total: 0,
    id,
    mode: dryRun ? 'check' : 'create',
    check: (tx) => insertSource(tx, ctx.config, id, { key, begin: live.begin }),
  })
}

/**
 * The title of a dry run, and that capitals make a difference here which made none there: a link that was printed as `/PROMO`
 * would not be found as `promo`.
 */
function ofAnyCase({ domains }: LinkContext, from: MovedFrom, domain: string | undefined, title: Message): Message {
  const host = (domain && domains.find(domain)?.host) || domains.defaultHost
  return CASELESS.includes(from) && !domains.isFolded(host) ? say('api.job.ofAnyCase', { title, from, host }) : title
}

/** The address of another service. @throws TerseError 'validation_failed' */
export function addressOf(text: string): URL {
  const url = parseUrl(/^[\w.-]+(:\d+)?(\/|$)/.test(text) ? `https://${text}` : text)
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') {
    url.hash = ''
    url.search = ''
    // Of YOURLS people know the address of its API.
    url.pathname = url.pathname.replace(/\/(yourls-api\.php|api\/v2|rest\/v\d|admin)\/?.*$/, '/')
    return url
  }
  throw new TerseError('validation_failed', say('api.move.address'))
}

/** A file at an address, of which everything counts. @throws TerseError 'validation_failed' */
function fileAt(text: string): URL {
  const url = parseUrl(/^[\w.-]+(:\d+)?(\/|$)/.test(text) ? `https://${text}` : text)
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new TerseError('validation_failed', say('api.move.address'))
  }
  url.hash = ''
  return url
}

/** @throws TerseError 'validation_failed' */
function knownDomain({ domains }: LinkContext, domain: string | undefined): string | undefined {
  if (domain === undefined || domain === '') return undefined
  const found = domains.find(domain)
  if (!found) throw new TerseError('validation_failed', say('api.move.domain', { domain }))
  return found.host
}
