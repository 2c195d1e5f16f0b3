import { AsyncResource } from 'node:async_hooks'
import type { Watcher } from '@/lib/stats/live'

/** How often a quiet connection shows that it is alive, in ms: proxies close those that are silent for long. */
const HEARTBEAT = 15_000
/** How often it is asked whether who watches still may, in ms. */
const LEAVE_CHECK = 30_000
/** Messages kept for a client that does not read. */
const BACKLOG = 64

export const EVENT_HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store, no-transform',
  // nginx would keep events back until it has many.
  'X-Accel-Buffering': 'no',
}

const encoder = new TextEncoder()

/** A file made as the client takes it: memory never holds more than one piece, and nothing is made once it is gone. */
export function download(
  pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
  { name, type, signal }: { name: string; type: string; signal: AbortSignal },
): Response {
  const iterator = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]()
  // What is made later is made for the same asker.
  const next = AsyncResource.bind(async () => iterator.next())
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (signal.aborted) await iterator.return?.()
        const { done, value } = await next()
        if (done || value === undefined) controller.close()
        else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
      },
      async cancel() {
        await iterator.return?.()
      },
    },
    { highWaterMark: 0 },
  )
  const headers = {
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="${name}"`,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  }
  return new Response(stream, { headers })
}

/**
 * Server-sent events of a link's clicks, until the client leaves.
 * @param watch begins to watch and returns what ends it; what it throws is thrown
 * @param stillMay asked every 30 s, for a key, a session or an account may have ended; a stream without leave ends
 */
export function clickEvents(
  watch: (watcher: Watcher) => () => void,
  signal: AbortSignal,
  stillMay: () => Promise<boolean> = async () => true,
): Response {
  let leave = () => {}
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let isOver = false
        const end = (why?: 'replaced') => {
          if (isOver) return
          // So that the client does not come back at once and take the place of another of its own.
          if (why === 'replaced') send('event: replaced\ndata: {}\n\n')
          // Sending may have ended it.
          if (isOver) return
          leave()
          controller.close()
        }
        const endOnAbort = () => end()
        const send = (text: string) => {
          if (isOver) return
          // Who does not read is let go, and reads on when it comes back.
          if ((controller.desiredSize ?? 0) <= 0) return end()
          controller.enqueue(encoder.encode(text))
        }
        const clicks = (count: number) => send(`event: clicks\ndata: ${JSON.stringify({ clicks: count })}\n\n`)
        const unwatch = watch({ clicks, end })
        const heartbeat = setInterval(() => send(': \n\n'), HEARTBEAT).unref()
        const asking = setInterval(() => void stillMay().then((may) => may || end(), endOnAbort), LEAVE_CHECK).unref()
        leave = () => {
          isOver = true
          clearInterval(asking)
          unwatch()
          clearInterval(heartbeat)
          signal.removeEventListener('abort', endOnAbort)
        }
        signal.addEventListener('abort', endOnAbort)
        if (signal.aborted) end()
      },
      cancel() {
        leave()
      },
    },
    { highWaterMark: BACKLOG },
  )
  return new Response(stream, { headers: EVENT_HEADERS })
}
