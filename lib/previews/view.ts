import { z } from 'zod'
import type { DatabaseGateway } from '@/lib/db/gateway'
import type { Link } from '@/lib/db/generated/client'
import { isoTime } from '@/lib/tools/schema'
import type { Cards } from './cards'
import { previewIn } from './values'

/** What apps are shown of a link now. */
export const PreviewView = z
  .object({
    card: z
      .object({ title: z.string(), description: z.string(), image: z.url().nullable() })
      .nullable()
      .meta({ description: 'What apps are shown. If null, they’re redirected.' }),
    state: z.enum(['none', 'ready', 'waiting', 'failed']).meta({
      description:
        '`waiting`: the destination is yet to be read. `failed`: it couldn’t be, or says nothing of itself; passing failures are tried again.',
    }),
    failure: z.string().nullable().meta({
      description:
        'Why there’s no card: `status` (an HTTP error), `type` (no HTML page), `empty` (no title), `blocked` (the rules of this site), or a failure of the connection such as `timeout`, `name`, `certificate`, or `private`.',
    }),
    fetchedAt: isoTime('When the destination was last read, in UTC.').nullable(),
  })
  .meta({ id: 'LinkPreview', description: 'What apps show of a link.' })

type View = z.output<typeof PreviewView>
type Context = { db: DatabaseGateway; answering: { cards: Cards } }

/** @throws TerseError 'unavailable' */
export async function viewPreview({ db, answering }: Context, { id, urlHash, preview }: Link): Promise<View> {
  const setting = previewIn(preview)
  if (setting === null) return { card: null, state: 'none', failure: null, fetchedAt: null }
  const found = await answering.cards.read(id)
  const card = found && { title: found.title, description: found.description, image: found.image }
  if (setting.source === 'custom') return { card, state: 'ready', failure: null, fetchedAt: null }
  const row = await db.read((client) => client.linkPreview.findUnique({ where: { linkId: id } }))
  const isOfUrl = row !== null && Buffer.compare(row.urlHash, urlHash) === 0
  const fetchedAt = isOfUrl ? (row.fetchedAt?.toISOString() ?? null) : null
  if (card) return { card, state: 'ready', failure: null, fetchedAt }
  // It has words, which a rule refuses that came later.
  const isRefused = isOfUrl && row.title !== ''
  const failure = (isOfUrl && row.failure) || (isRefused ? 'blocked' : null)
  return { card: null, state: failure === null ? 'waiting' : 'failed', failure, fetchedAt }
}

/** Has the destination read again. What apps are shown stays until that is done. @throws TerseError 'unavailable' */
export async function readAgain(ctx: Context, link: Link): Promise<View> {
  if (previewIn(link.preview)?.source === 'destination') {
    await ctx.db.change('UPDATE LinkPreview SET dueAt = UTC_TIMESTAMP(3), attempts = 0 WHERE linkId = ?', link.id)
  }
  return viewPreview(ctx, link)
}
