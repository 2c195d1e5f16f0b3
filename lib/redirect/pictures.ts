import type { Limits } from '@/lib/net/limits'
import type { QrPrinter } from '@/lib/qr/printer'
import type { PictureFacts } from './decide'
import type { PictureFormat } from './path'

/** The QR codes of links, as everyone gets them who asks a domain that gives them out. */
export class Pictures {
  constructor(
    private readonly printer: QrPrinter,
    private readonly limits: Limits,
  ) {}

  /** What a request for a picture depends on, without drawing it. */
  facts(shortUrl: string, format: PictureFormat, rawHeaders: readonly string[]): PictureFacts {
    const tag = this.printer.tagOf(this.printer.publicTask(shortUrl, format))
    return { format, tag, isHeld: isHeld(rawHeaders, tag) }
  }

  /** @param client whose limit it counts towards, unless it was drawn lately. @throws TerseError 'rate_limited', 'unavailable' */
  draw(shortUrl: string, format: PictureFormat, client: string): Promise<Uint8Array> {
    return this.printer.code(this.printer.publicTask(shortUrl, format), { client, account: null }, () =>
      this.limits.consume('qr', client),
    )
  }
}

/** Whether the client says that it has what an ETag names (RFC 9110, 13.1.2). */
function isHeld(rawHeaders: readonly string[], tag: string): boolean {
  const at = rawHeaders.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'if-none-match')
  return at !== -1 && namesTag(rawHeaders[at + 1] ?? '', tag)
}

/** @param header If-None-Match */
export const namesTag = (header: string, tag: string): boolean =>
  header.split(',').some((one) => ['*', tag].includes(one.trim().replace(/^W\//, '')))
