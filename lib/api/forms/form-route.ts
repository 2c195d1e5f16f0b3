import { type Failure, failureOf } from '@/lib/forms/failure'
import type { Read } from '@/lib/forms/read'
import type { FormName, FormResults } from '@/lib/forms/sent'
import { say, type Writer } from '@/lib/i18n/message'
import type { Runtime } from '@/lib/runtime'
import type { Endpoint } from '../endpoint'
import type { SentFile } from './file-form'

/** What an endpoint said. `code` is better-auth's name of what went wrong. */
export type Told = { ok: true; value: unknown } | { ok: false; failure: Failure; code: string }

export interface FormCall {
  ctx: Runtime
  data: FormData
  /** null: the form has none, or none was chosen. */
  file: SentFile | null
  /** Address of the page that holds the form. */
  page: URL
  /** Writes in the language of who sent it. */
  write: Writer
  /** Sends `body` to an endpoint of the API as this browser's scripts would; what it may do is decided there. */
  api(endpoint: Endpoint, body: unknown, headers?: Record<string, string>, params?: Record<string, string>): Promise<Told>
  /** Sends a file to an endpoint of the API. @param query with its question mark */
  upload(endpoint: Endpoint, query: string, type: string, file: SentFile): Promise<Told>
  /** The same for what lives under /api/auth. */
  auth(path: string, body: unknown, headers?: Record<string, string>): Promise<Told>
}

/** What comes of a form: another page, or the same with what it led to, or with what is to be put right. */
export type Outcome<R> =
  | { to: string; cookie?: string }
  | { result: R; status: 200 | 201 }
  | { failure: Failure; status?: number }
  /** The page again with another of its forms, and what was typed. */
  | { show: FormName }

/**
 * What answers a form without scripts: the form is read by what its own scripts read it by, and sent to the endpoint that
 * they send it to. Limits, permissions and validation are there, and nothing is decided twice.
 */
export interface FormRoute<F extends FormName> {
  /** Paths of the pages that hold it. */
  pages: RegExp
  /**
   * The fields whose values the page shows again; those whose names begin alike end with `*`. Nothing else that was typed comes
   * back: a secret least of all.
   */
  keeps: readonly string[]
  /** Whether it has a field for a file. */
  takesFile?: true
  /** Fields that are never sent back. Who has to put something right is asked for them again. */
  secrets?: readonly string[]
  answer(call: FormCall): Promise<Outcome<FormResults[F]>>
}

export const NEEDS_SCRIPTS = say('api.request.scripts')

/** What was found wrong before anything was sent. */
export const unread = (read: Extract<Read<unknown>, { ok: false }>): Outcome<never> => ({
  failure: read.failure,
  status: 422,
})

/** What an endpoint of /api/v1 answered. */
export async function toldBy(response: Response, path: string, write: Writer): Promise<Told> {
  const json: unknown = await response.json().catch(() => undefined)
  return response.ok
    ? { ok: true, value: json }
    : { ok: false, failure: failureOf(response, json, 'POST', path, write), code: '' }
}
