import { invalidField, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { qrOfLink } from '@/lib/links/qr'
import { limitKey } from '@/lib/net/address'
import { QrQuery } from '@/lib/qr/schemas'
import { MARGIN, PIXELS } from '@/lib/qr/values'
import { PICTURE_POLICY } from '@/lib/redirect/decide'
import { validate } from '@/lib/tools/validate'
import type { ForeignCall } from '../dialect'
import { numberOf } from '../fields'
import { addressTyped } from '../links'

/** The QR code of one of the account’s short links, as a PNG. @throws TerseError 'not_found' for any other URL */
export async function qrCode(call: ForeignCall): Promise<Response> {
  const { ctx, actor, account, address: from, query } = call
  if (query.get('logo')) throw invalidField('logo', say('api.request.notHere'))
  const url = query.get('url')
  if (!url) throw invalidField('url', say('api.request.link'))
  const address = addressTyped(ctx, url)
  if (!address) throw new TerseError('not_found', say('api.link.notYours'))
  const [level, foreground, background] = [query.get('level'), query.get('fgColor'), query.get('bgColor')]
  const input = {
    ...{ format: 'png', size: numberOf(query.get('size'), PIXELS.least, PIXELS.most, 600), level: level || 'L' },
    ...{ margin: query.get('includeMargin') === 'false' ? 0 : numberOf(query.get('margin'), 0, MARGIN.most, 2) },
    ...{ foreground: foreground || '#000000', ...(background && { background }) },
  }
  const { task } = await qrOfLink(ctx, actor, address, validate(QrQuery, input))
  const body = await ctx.qr.code(task, { client: limitKey(from), account: account.id })
  return new Response(body as BodyInit, {
    headers: {
      ...{ 'Content-Type': 'image/png', 'Content-Length': String(body.length), 'Cache-Control': 'private, no-cache' },
      ...{ 'Content-Security-Policy': PICTURE_POLICY, 'X-Content-Type-Options': 'nosniff' },
    },
  })
}
