import { z } from 'zod'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { matchingLinks, namedLinks, qrOfLink, sheetOf } from '@/lib/links/qr'
import { SheetInput } from '@/lib/links/sheet-schemas'
import { deleteLogo, keepLogo, readLogo, versionOf } from '@/lib/qr/logo-store'
import { LogoView, QrQuery } from '@/lib/qr/schemas'
import type { QrWarning } from '@/lib/qr/style'
import { LOGO } from '@/lib/qr/values'
import { PICTURE_POLICY } from '@/lib/redirect/decide'
import { namesTag } from '@/lib/redirect/pictures'
import { drawnLinks } from '@/lib/series/drawn-links'
import { endpoint } from './endpoint'
import { addressOf } from './links'
import { AddressQuery, CodePath } from './path'
import { download } from './stream'

const TYPES = { svg: 'image/svg+xml', png: 'image/png', pdf: 'application/pdf' } as const

const WARNINGS =
  'The header `Qr-Warnings` names what some readers fail on: `contrast` (too little of it), `inverted` (light on dark), `margin` (less than 4 modules).'

/** What an answer says of a style. */
const warned = (warnings: readonly QrWarning[]): Record<string, string> =>
  warnings.length === 0 ? {} : { 'Qr-Warnings': warnings.join(', ') }

/** Bytes, unless the client has them already. They are asked for again each time: the link may be gone. */
async function picture(
  request: Request,
  tag: string,
  headers: Record<string, string>,
  bytes: () => Promise<Uint8Array>,
): Promise<Response> {
  const always = { ETag: tag, 'Cache-Control': 'private, no-cache', ...headers }
  if (namesTag(request.headers.get('if-none-match') ?? '', tag)) return new Response(null, { status: 304, headers: always })
  const body = await bytes()
  return new Response(body as BodyInit, {
    headers: {
      ...always,
      'Content-Length': String(body.length),
      'Content-Security-Policy': PICTURE_POLICY,
      'X-Content-Type-Options': 'nosniff',
    },
  })
}

export const getQr = endpoint(
  'GET /api/v1/links/{code}/qr',
  {
    id: 'getQrCode',
    summary: 'Retrieve the QR code of a link',
    description: `An SVG, a PNG or a PDF of vectors. ${WARNINGS} Has an \`ETag\`.`,
    auth: 'link',
    limit: 'qr',
    params: CodePath,
    query: AddressQuery.extend(QrQuery.shape),
    answers: { 200: ['The QR code', z.string(), TYPES.svg] },
    errors: [403, 410],
  },
  async (call) => {
    const { ctx, actor, client, request, query } = call
    const { task, warnings } = await qrOfLink(ctx, actor, addressOf(call), query)
    const name = `qr-${addressOf(call).code.replace(/\W+/g, '-')}.${query.format}`
    const headers = {
      'Content-Type': TYPES[query.format],
      'Content-Disposition': `inline; filename="${name}"`,
      ...warned(warnings),
    }
    return picture(request, ctx.qr.tagOf(task), headers, () => ctx.qr.code(task, { client, account: actor.ownerId }))
  },
)

export const postSheet = endpoint(
  'POST /api/v1/qr-sheet',
  {
    id: 'createQrSheet',
    summary: 'Create a sheet of QR codes',
    description: `A PDF of up to 1,000 codes in rows and columns, to print and cut. It’s sent while it’s drawn. ${WARNINGS}`,
    auth: 'account',
    proof: 'key',
    limit: 'sheet',
    body: SheetInput,
    answers: { 200: ['The sheet', z.string(), TYPES.pdf] },
  },
  async ({ ctx, account, actor, client, request, body }) => {
    const { ids, matching, series, count, domain } = body
    const links = ids
      ? await namedLinks(ctx, account.id, ids)
      : matching
        ? await matchingLinks(ctx, account.id, matching)
        : await drawnLinks(ctx, account, { name: series ?? '', count, domain })
    const { task, warnings } = await sheetOf(ctx, actor, links, body)
    const pieces = await ctx.qr.sheet(task, { client, account: account.id }, request.signal)
    const name = `qr-${series ?? 'codes'}.pdf`
    const response = download(pieces, { name, type: TYPES.pdf, signal: request.signal })
    for (const [header, value] of Object.entries(warned(warnings))) response.headers.set(header, value)
    return response
  },
)

const COMMON = { auth: 'account', proof: 'key' } as const

export const getLogo = endpoint(
  'GET /api/v1/account/qr-logo',
  {
    ...COMMON,
    id: 'getQrLogo',
    summary: 'Retrieve the logo for your QR codes',
    limit: 'api',
    answers: { 200: ['The logo', z.string(), TYPES.png] },
    errors: [404],
  },
  async ({ ctx, account, request }) => {
    const png = await readLogo(ctx, account.id)
    if (png === null) throw new TerseError('not_found', say('api.qr.noLogo'))
    return picture(request, `"${versionOf(png)}"`, { 'Content-Type': TYPES.png }, async () => png)
  },
)

export const putLogo = endpoint(
  'PUT /api/v1/account/qr-logo',
  {
    ...COMMON,
    id: 'setQrLogo',
    summary: 'Upload a logo for your QR codes',
    description: `A PNG, JPEG or WebP of up to ${LOGO.kilobytes} KB. Terse keeps a small PNG of it, and nothing else that the file held.`,
    limit: 'sheet',
    file: { ...LOGO, example: 'logo.png' },
    answers: { 200: ['The logo', LogoView] },
  },
  async ({ ctx, account, client, file }) => {
    const png = await ctx.qr.logo(file, { client, account: account.id })
    await keepLogo(ctx, account.id, png)
    return { version: versionOf(png) }
  },
)

export const removeLogo = endpoint(
  'DELETE /api/v1/account/qr-logo',
  {
    ...COMMON,
    id: 'deleteQrLogo',
    summary: 'Delete the logo for your QR codes',
    limit: 'api',
    answers: { 204: 'There is no logo any more' },
  },
  ({ ctx, account }) => deleteLogo(ctx, account.id),
)
