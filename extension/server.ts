import { say } from './messages'

/** The server that creates links, and the account they belong to. */
export interface Settings {
  /** Its origin. */
  server: string
  /** An API key; '' for links without an account. */
  key: string
}

export async function readSettings(): Promise<Settings | null> {
  const { server, key } = await chrome.storage.local.get(['server', 'key'])
  return typeof server === 'string' ? { server, key: typeof key === 'string' ? key : '' } : null
}

export const writeSettings = (settings: Settings): Promise<void> => chrome.storage.local.set({ ...settings })

type Answer = { ok: true; shortUrl: string } | { ok: false; why: string }

/** Creates a link. @param code the back-half; '' for one that the server draws */
export async function shorten({ server, key }: Settings, url: string, code: string): Promise<Answer> {
  try {
    const response = await fetch(`${server}/api/v1/links`, {
      method: 'POST',
      // What this browser is signed in to is none of the extension's business.
      credentials: 'omit',
      headers: {
        'Content-Type': 'application/json',
        'Accept-Language': chrome.i18n.getUILanguage(),
        ...(key !== '' && { Authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ url, ...(code === '' ? { reuse: true } : { code }) }),
      signal: AbortSignal.timeout(15_000),
    })
    const body = (await response.json().catch(() => ({}))) as { shortUrl?: unknown; detail?: unknown }
    if (response.ok && typeof body.shortUrl === 'string') return { ok: true, shortUrl: body.shortUrl }
    if (response.status === 401) return { ok: false, why: say('keyRefused') }
    return { ok: false, why: typeof body.detail === 'string' ? body.detail : say('noTerse', server) }
  } catch {
    return { ok: false, why: say('unreachable', server) }
  }
}

/** Whether a Terse answers at this origin, and takes the key. @returns why not; '' if so */
export async function troubleWith({ server, key }: Settings): Promise<string> {
  try {
    const headers = key === '' ? undefined : { Authorization: `Bearer ${key}` }
    const path = key === '' ? '/api/v1/openapi.json' : '/api/v1/links?limit=1'
    const response = await fetch(server + path, { credentials: 'omit', headers, signal: AbortSignal.timeout(15_000) })
    if (response.status === 401 || response.status === 403) return say('keyRefused')
    return response.ok && /json/.test(response.headers.get('content-type') ?? '') ? '' : say('noTerse', server)
  } catch {
    return say('unreachable', server)
  }
}
