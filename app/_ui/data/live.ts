import { createParser } from 'eventsource-parser'
import { type LinkAccess, partOf, type ScopeAccess } from './stats'

export type LiveState = 'connecting' | 'connected' | 'reconnecting' | 'off'

interface Handlers {
  onState: (state: LiveState) => void
  /** One was clicked. */
  onClicks: () => void
}

const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 30_000
/** For one that gave up its place to a newer tab: at once it would take it back. */
const REPLACED_WAIT_MS = 60_000
/** A stream that has been silent for so long is taken for dead: the server sends at least a comment. */
const SILENCE_MS = 90_000
/** Asking again would get the same answer. */
const FINAL = new Set([401, 403, 404, 409, 410])

/**
 * Listens to the clicks of a link, or of several together, until the signal aborts. EventSource cannot send the headers that open
 * a link, hence a stream that is read by hand and opened again when it ends.
 */
export async function listenToClicks(
  access: LinkAccess | ScopeAccess,
  { onState, onClicks }: Handlers,
  signal: AbortSignal,
): Promise<void> {
  onState('connecting')
  for (let wait = FIRST_WAIT_MS; !signal.aborted; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    const end = await readStream(
      access,
      signal,
      () => {
        wait = FIRST_WAIT_MS
        onState('connected')
      },
      onClicks,
    )
    if (signal.aborted) return
    if (end.final) return onState('off')
    onState('reconnecting')
    // Spread out, so that a restarted server does not hear from every reader in the same moment.
    await pause(Math.max(wait, end.retryAfter) * (0.75 + Math.random() / 2), signal)
  }
}

interface End {
  final: boolean
  /** ms */
  retryAfter: number
}

/** Reads one stream to its end, however it ends. */
async function readStream(
  access: LinkAccess | ScopeAccess,
  signal: AbortSignal,
  onOpen: () => void,
  onClicks: () => void,
): Promise<End> {
  const silence = new AbortController()
  const watchdog = () => setTimeout(() => silence.abort(), SILENCE_MS)
  let timer = watchdog()
  try {
    const { path, headers } = partOf(access, '/live')
    const response = await fetch(path, {
      headers: { ...headers, Accept: 'text/event-stream' },
      signal: AbortSignal.any([signal, silence.signal]),
      cache: 'no-store',
    })
    if (!response.ok || !response.body) {
      return { final: FINAL.has(response.status), retryAfter: 1000 * (Number(response.headers.get('Retry-After')) || 0) }
    }
    onOpen()
    let isReplaced = false
    const parser = createParser({
      onEvent: ({ event }) => {
        if (event === 'clicks') onClicks()
        isReplaced ||= event === 'replaced'
      },
    })
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      clearTimeout(timer)
      timer = watchdog()
      parser.feed(part.value)
    }
    if (isReplaced) return { final: false, retryAfter: REPLACED_WAIT_MS }
  } catch {
    // Cut off, or never reached: either way it is tried again.
  } finally {
    clearTimeout(timer)
  }
  return { final: false, retryAfter: 0 }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}
