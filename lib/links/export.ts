import type { Link } from '@/lib/db/generated/client'
import { filingOf, NOT_FILED } from '@/lib/labels/filing'
import type { Filing } from '@/lib/labels/schemas'
import { csvLine } from '@/lib/tools/csv-writer'
import { inPieces } from '@/lib/tools/in-pieces'
import type { LinkContext } from './context'
import { linkPages, type WhichLinks } from './pages'
import { COLUMN_NAMES, cellOf } from './properties'
import type { LinkView } from './schemas'
import { kindOf, toView } from './view'

export const EXPORT_FORMATS = ['csv', 'json', 'jsonl'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

type Context = Pick<LinkContext, 'db' | 'domains'>

/** What is told of each link besides its properties. An import passes it over. */
const BESIDES = ['shortUrl', 'clicks'] as const

/** A link as an export has it: all that an import can read, by the same names. */
export type ExportedLink = Omit<LinkView, 'id'> & Filing & { enabled: boolean; passwordHash: string | null; owner?: string }

interface Asked {
  which: WhichLinks
  format: ExportFormat
  /** Whether password hashes are told. Without them, links that had a password have none once they are imported. */
  passwords: boolean
  /** Whether the email of each link's owner is told; '' of a link without one. */
  owners?: boolean
}

/**
 * Links, the oldest first. Spoken numbers are not among them: they are given to others in time.
 * @throws TerseError 'unavailable'
 */
export async function* exportLinks(ctx: Context, { which, format, ...told }: Asked): AsyncGenerator<string, void> {
  const names = [...COLUMN_NAMES.filter((name) => told.owners || name !== 'owner'), ...BESIDES]
  const recordOf = (link: ExportedLink): string[] => names.map((name) => cellOf(link[name]))
  const jsonOf = (link: ExportedLink) => JSON.stringify(Object.fromEntries(names.map((name) => [name, link[name]])))
  let isFirst = true
  const textOf = (link: ExportedLink): string => {
    if (format === 'csv') return csvLine(recordOf(link))
    if (format === 'jsonl') return `${jsonOf(link)}\n`
    const before = isFirst ? '\n' : ',\n'
    isFirst = false
    return before + jsonOf(link)
  }
  if (format === 'csv') yield csvLine(names)
  if (format === 'json') yield '{"links":['
  for await (const links of linkPages(ctx, which)) {
    const some = links.filter((link) => kindOf(link, ctx.domains) === 'short')
    const exportedOf = await exporterOf(ctx, some, told)
    yield* inPieces(some, (link) => textOf(exportedOf(link)))
  }
  if (format === 'json') yield '\n]}\n'
}

/** Tells of each of these links what an export does. */
async function exporterOf(
  ctx: Context,
  links: readonly Link[],
  { passwords, owners }: Pick<Asked, 'passwords' | 'owners'>,
): Promise<(link: Link) => ExportedLink> {
  const filings = await filingsOf(ctx, links)
  const emails = owners ? await emailsOf(ctx, links) : null
  return (link) => ({
    ...toView(link, ctx.domains),
    ...(filings.get(link.id) ?? NOT_FILED),
    // Of a banned link what was so before.
    enabled: (link.stateBeforeBan || link.state) !== 'disabled',
    passwordHash: passwords ? link.passwordHash : null,
    ...(emails && { owner: emails.get(link.ownerId ?? '') ?? '' }),
  })
}

/** How each owner filed them. */
async function filingsOf(ctx: Context, links: readonly Link[]): Promise<Map<bigint, Filing>> {
  const filings = new Map<bigint, Filing>()
  for (const ownerId of ownersOf(links)) {
    const ids = links.filter((link) => link.ownerId === ownerId).map(({ id }) => id)
    for (const [id, filing] of await filingOf(ctx, ownerId, ids)) filings.set(id, filing)
  }
  return filings
}

async function emailsOf(ctx: Context, links: readonly Link[]): Promise<Map<string, string>> {
  const where = { id: { in: ownersOf(links) } }
  const users = await ctx.db.read((client) => client.user.findMany({ where, select: { id: true, email: true } }))
  return new Map(users.map(({ id, email }) => [id, email]))
}

const ownersOf = (links: readonly Link[]): string[] => [...new Set(links.flatMap(({ ownerId }) => ownerId ?? []))]
