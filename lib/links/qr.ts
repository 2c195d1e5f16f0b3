import type { Actor } from '@/lib/actor'
import type { Link } from '@/lib/db/generated/client'
import { invalidField, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { readLogo } from '@/lib/qr/logo-store'
import type { QrPrinter } from '@/lib/qr/printer'
import type { QrQuery, QrStyleInput } from '@/lib/qr/schemas'
import { levelOf, type QrWarning, warningsOf } from '@/lib/qr/style'
import type { CodeTask, Look, SheetTask } from '@/lib/qr/task'
import { SHEET } from '@/lib/qr/values'
import type { LinkContext } from './context'
import { findManaged, type LinkAddress } from './find'
import { listWithin } from './list'
import type { SheetInput } from './sheet-schemas'
import { shortUrlOf } from './view'

export type QrContext = LinkContext & { qr: QrPrinter }

/** A code that is to be drawn, and what is said of its style. */
export interface AskedCode {
  task: CodeTask
  warnings: QrWarning[]
}

/**
 * The QR code of a link, for those who manage it.
 * @throws TerseError as `findManaged`; 'gone' for a link that is banned, 'validation_failed'
 */
export async function qrOfLink(ctx: QrContext, actor: Actor, address: LinkAddress, query: QrQuery): Promise<AskedCode> {
  const link = await findManaged(ctx, actor, address, 'read')
  requireNotBanned(link)
  const { look, warnings } = await lookOf(ctx, actor, query)
  const { format } = query
  const side = format === 'png' ? query.size : (query.mm ?? null)
  return { task: { kind: 'code', text: shortUrlOf(ctx, link), look, format, side }, warnings }
}

/**
 * A sheet of QR codes of links of an account, in the order in which they are named.
 * @throws TerseError 'validation_failed' naming each link that there is not, or that is banned; 'unavailable'
 */
export async function sheetOf(
  ctx: QrContext,
  actor: Actor,
  links: readonly Named[],
  input: SheetInput,
): Promise<{ task: SheetTask; warnings: QrWarning[] }> {
  const { look, warnings } = await lookOf(ctx, actor, input)
  const { paper, rows, columns, caption, cutMarks } = input
  const codes = links.map((link) => {
    const text = shortUrlOf(ctx, link)
    return { text, caption: captionOf(caption, text, link.code) }
  })
  return { task: { kind: 'sheet', codes, look, layout: { paper, rows, columns, caption, cutMarks } }, warnings }
}

type Matching = NonNullable<SheetInput['matching']>

export type Named = Pick<Link, 'fullShortUrl' | 'code' | 'state'>
export const NAMED = { fullShortUrl: true, code: true, state: true } as const

/** The links of an account with these ids. @throws TerseError 'validation_failed' naming each that there is not */
export async function namedLinks({ db }: LinkContext, ownerId: string, ids: readonly string[]): Promise<Named[]> {
  const wanted = ids.map((id) => BigInt(id))
  const rows = await db.read((client) =>
    client.link.findMany({ where: { id: { in: wanted }, ownerId }, select: { id: true, ...NAMED } }),
  )
  const found = new Map(rows.map((row) => [row.id, row]))
  const errors = wanted.flatMap((id, i) => {
    const link = found.get(id)
    if (link && link.state !== 'banned') return []
    return [{ path: `ids.${i}`, message: link ? say('api.qr.banned') : say('api.link.notYours') }]
  })
  const [first] = errors
  if (first) throw new TerseError('validation_failed', first.message, { errors: errors.slice(0, MOST_ERRORS) })
  return wanted.flatMap((id) => found.get(id) ?? [])
}

const MOST_ERRORS = 100

/** Links that are listed at a time, and how often at most: a list of few among very many is found in many steps. */
const LISTED = { limit: 100, times: 100 }

/**
 * The links of an account that match, the newest first; those that are banned are left out.
 * @throws TerseError 'validation_failed' where there are none, or more than a sheet takes; 'unavailable'
 */
export async function matchingLinks(ctx: LinkContext, ownerId: string, matching: Matching): Promise<Named[]> {
  const found: Named[] = []
  const now = Date.now()
  let cursor: string | undefined
  for (let times = 0; times < LISTED.times; times++) {
    const query = { ...matching, limit: LISTED.limit, sort: 'newest', cursor } as const
    const { links, nextCursor } = await listWithin(ctx, { ownerId, isOwn: true }, query, now)
    found.push(...links.filter((link) => link.state !== 'banned' && !('deletedAt' in link)))
    if (found.length > SHEET.codes) break
    if (nextCursor === null && found.length === 0) throw invalidField('matching', say('api.link.noMatch'))
    if (nextCursor === null) return found
    cursor = nextCursor
  }
  throw invalidField('matching', say('api.qr.tooMany', { most: SHEET.codes }))
}

function requireNotBanned({ state }: Pick<Link, 'state'>): void {
  if (state === 'banned') throw new TerseError('gone', say('api.qr.banned'))
}

async function lookOf(ctx: QrContext, actor: Actor, input: QrStyleInput): Promise<{ look: Look; warnings: QrWarning[] }> {
  const logo = await logoOf(ctx, actor, input)
  const look = ctx.qr.look({ ...input, level: levelOf(input) }, logo)
  return { look, warnings: warningsOf(look) }
}

/** @throws TerseError 'validation_failed' where there is none */
async function logoOf(ctx: QrContext, { ownerId }: Actor, { logo }: QrStyleInput): Promise<Uint8Array | null> {
  if (logo === 'none') return null
  if (logo === 'site') return ctx.qr.siteLogo()
  const own = ownerId === null ? null : await readLogo(ctx, ownerId)
  if (own === null) throw invalidField('logo', say('api.qr.noLogo'))
  return own
}

/** Letters that the font of a PDF has: those of western Europe. */
const WRITABLE = /^[\x20-\x7e\xa0-\xff]*$/

/** As people read it where the font has all of its letters, and else as it stands in the address, which can be typed too. */
function captionOf(caption: SheetInput['caption'], shortUrl: string, code: string): string {
  if (caption === 'none') return ''
  const encoded = shortUrl.replace(/^https?:\/\//, '')
  const [host, ...path] = encoded.split('/')
  if (caption === 'url') return WRITABLE.test(code) ? `${host}/${code}` : encoded
  return WRITABLE.test(code) ? code : path.join('/')
}
