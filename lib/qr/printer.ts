import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Brand } from '@/lib/brand/brand'
import { iconPng } from '@/lib/brand/icon-png'
import { invalidField, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { SingleFlight } from '@/lib/tools/single-flight'
import { BusyError, Turns, type TurnsLimits } from '@/lib/tools/turns'
import { withResolvers } from '@/lib/tools/with-resolvers'
import type { QrStyleInput } from './schemas'
import type { CodeTask, Look, QrTask, SheetTask } from './task'
import { QrFault } from './task'
import { HERE, QrThread, type Workshop } from './thread'
import { LOGO, MARGIN, WHITE } from './values'

/** Drawings at once, and those that wait. A flood of requests is refused, so that other clients don’t wait long. */
const CODES = {
  ofAll: { atOnce: 2, atOnceEach: 1, mayWait: 100, mayWaitEach: 20 },
  ofClient: { atOnceEach: 1, mayWait: 100, mayWaitEach: 40 },
}
/** Sheets at once. Each continues only while its client reads. */
const SHEETS = {
  ofAll: { atOnce: 8, atOnceEach: 1, mayWait: 16, mayWaitEach: 2 },
  ofClient: { atOnceEach: 2, mayWait: 16, mayWaitEach: 4 },
}
/** How long a sheet can take, and how long its client can read nothing of it, in ms: then its place is free. */
const PATIENCE = { whole: 300_000, piece: 15_000 }
/** Bytes of finished codes that are kept in memory. */
const KEPT = 16 * 1024 * 1024
/** Part of the ETag. Raise it if the same request is drawn differently, so that clients get the new picture. */
const VERSION = 1
/** How long a client is told to wait when too much is asked for, in seconds. */
const RETRY = 1

/** Each side of `/<code>.qr.png`, in pixels. */
const PUBLIC_PIXELS = 512

/** Who asks. The account is null for someone who only has the link. */
export interface Asker {
  client: string
  account: string | null
}

/** What the site asks for itself. */
const SITE: Asker = { client: 'site', account: null }

/** Draws QR codes outside the thread that answers redirects, and keeps recent ones. */
export class QrPrinter {
  private workshop: Workshop = HERE
  private readonly turns = new Places(CODES)
  private readonly sheets = new Places(SHEETS)
  private readonly flights = new SingleFlight<Uint8Array>()
  private readonly kept = new LRUCache<string, Uint8Array>({ maxSize: KEPT, sizeCalculation: ({ length }) => length + 200 })

  constructor(private readonly brand: Pick<Brand, 'accents' | 'mark'>) {}

  /** Draws codes in a thread of their own from now on. @param script lib/qr/thread.ts, bundled */
  drawInThread(script: URL): void {
    this.workshop = new QrThread(script)
  }

  close(): Promise<void> {
    return this.workshop.close()
  }

  /**
   * A style with its defaults filled in.
   * @param logo the logo that it names, as a PNG
   * @throws TerseError 'validation_failed' for a code in the color of its background
   */
  look({ foreground, background, margin, level }: Omit<QrStyleInput, 'logo'>, logo: Uint8Array | null): Look {
    const look = { foreground: foreground ?? this.brand.accents.qr, background, margin, level, logo }
    if (look.foreground === background) throw invalidField('foreground', say('api.qr.sameColor'))
    return look
  }

  /** The task for the public code of a short link. */
  publicTask(text: string, format: 'svg' | 'png'): CodeTask {
    const look = this.look({ foreground: undefined, background: WHITE, margin: MARGIN.wanted, level: 'M' }, null)
    return { kind: 'code', text, look, format, side: format === 'png' ? PUBLIC_PIXELS : null }
  }

  /** The ETag of a task’s picture. */
  tagOf({ look: { logo, ...look }, ...task }: CodeTask): string {
    const hash = createHash('sha256').update(JSON.stringify([VERSION, task, look]))
    if (logo) hash.update(logo)
    return `"${hash.digest('base64url').slice(0, 24)}"`
  }

  /**
   * Draws a code, unless it is kept.
   * @param who asks: one with many requests waits only for itself
   * @param before runs before drawing, but not for a kept code
   * @throws TerseError 'validation_failed' for what cannot be drawn, 'unavailable' if too much is asked for; what `before` throws
   */
  async code(task: CodeTask, who: Asker, before: () => Promise<void> = async () => {}): Promise<Uint8Array> {
    const tag = this.tagOf(task)
    const kept = this.kept.get(tag)
    if (kept) return kept
    await before()
    return this.flights.run(tag, async () => {
      const drawn = await this.single(task, who)
      this.kept.set(tag, drawn)
      return drawn
    })
  }

  /** Draws an uploaded logo again as the PNG to keep. @throws TerseError 'validation_failed', 'unavailable' */
  logo(bytes: Uint8Array, who: Asker): Promise<Uint8Array> {
    return this.single({ kind: 'logo', bytes, trusted: false }, who)
  }

  /** The logo of the deployment as a PNG. @throws TerseError 'unavailable' */
  async siteLogo(): Promise<Uint8Array> {
    const kept = this.kept.get('site')
    if (kept) return kept
    const bytes = this.brand.mark?.bytes ?? iconPng('icon-512.png', this.brand)
    return this.flights.run('site', async () => {
      const png = await this.single({ kind: 'logo', bytes, trusted: true }, SITE)
      this.kept.set('site', png)
      return png
    })
  }

  /**
   * Draws a sheet as fast as its pieces are read. The first piece is drawn before this resolves, so that what cannot be drawn is
   * an error and not half a file.
   * @throws TerseError as `code`
   */
  async sheet(task: SheetTask, who: Asker, signal: AbortSignal, patience = PATIENCE): Promise<AsyncGenerator<Uint8Array, void>> {
    const end = await take(this.sheets, who)
    const pieces = this.workshop.pieces(task)
    const over = new AbortController()
    // Not `AbortSignal.any` of both: that holds a timeout weakly (`withDeadline` in lib/tools/timeout.ts).
    const timer = setTimeout(stop, patience.whole).unref()
    let unread: NodeJS.Timeout | undefined
    signal.addEventListener('abort', stop, { once: true })
    function leave() {
      clearTimeout(timer)
      clearTimeout(unread)
      signal.removeEventListener('abort', stop)
      end()
      void pieces.return().catch(() => {})
    }
    function stop() {
      over.abort()
      leave()
    }
    const awaitReader = () => {
      unread = setTimeout(stop, patience.piece).unref()
    }
    const rest = async function* (first: Uint8Array | undefined) {
      try {
        if (first) yield first
        clearTimeout(unread)
        for await (const piece of pieces) {
          over.signal.throwIfAborted()
          awaitReader()
          yield piece
          clearTimeout(unread)
        }
        // Cut off, it is no whole file.
        over.signal.throwIfAborted()
      } finally {
        leave()
      }
    }
    // While it waited for its place.
    if (signal.aborted) stop()
    try {
      const first = await pieces.next()
      awaitReader()
      const sheet = rest(first.value ?? undefined)
      // One that was not begun ends without its `finally`.
      const close = sheet.return.bind(sheet)
      sheet.return = (value) => {
        leave()
        return close(value)
      }
      return sheet
    } catch (error) {
      leave()
      throw refusalOf(error)
    }
  }

  private async single(task: QrTask, who: Asker): Promise<Uint8Array> {
    try {
      return await this.turns.run(who, async () => {
        const pieces: Uint8Array[] = []
        for await (const piece of this.workshop.pieces(task)) pieces.push(piece)
        return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)
      })
    } catch (error) {
      throw refusalOf(error)
    }
  }
}

interface PlacesLimits {
  ofAll: TurnsLimits
  ofClient: TurnsLimits
}

/** Turns of clients, and of accounts among all: neither one with many addresses nor one with many accounts takes all places. */
class Places {
  private readonly all: Turns
  private readonly clients: Turns

  constructor({ ofAll, ofClient }: PlacesLimits) {
    this.all = new Turns(ofAll)
    this.clients = new Turns(ofClient)
  }

  /** @throws BusyError; what `work` throws */
  run<T>({ client, account }: Asker, work: () => Promise<T>): Promise<T> {
    return this.clients.run(client, () => this.all.run(account ?? client, work))
  }
}

/** Waits for a turn. @returns a function that ends it */
async function take(turns: Places, who: Asker): Promise<() => void> {
  const turn = withResolvers<void>()
  await new Promise<void>((begin, refuse) => {
    turns
      .run(who, () => {
        begin()
        return turn.promise
      })
      .catch((error: unknown) => refuse(refusalOf(error)))
  })
  return () => turn.resolve()
}

/** The error that a client gets for a fault. Other errors stay as they are. */
function refusalOf(error: unknown): unknown {
  if (error instanceof BusyError) return new TerseError('unavailable', say('api.request.busy'), { retryAfter: RETRY })
  if (!(error instanceof QrFault)) return error
  switch (error.reason) {
    case 'tooLong':
      return invalidField('level', say('api.qr.tooLong'))
    case 'tooSmall':
      return invalidField('size', say('api.qr.tooSmall', { least: error.least }))
    case 'svg':
      return new TerseError('validation_failed', say('api.qr.logoSvg'))
    case 'tooManyPixels':
      return new TerseError('validation_failed', say('api.qr.logoPixels', { most: LOGO.most }))
    case 'notImage':
      return new TerseError('validation_failed', say('api.qr.logoType'))
  }
}
