import { Readable } from 'node:stream'
import { isTerseError, TerseError } from '@/lib/errors'
import { refusalOf } from '@/lib/forms/auth-words'
import type { FieldErrors } from '@/lib/forms/fields'
import type { FormName, SentForm } from '@/lib/forms/sent'
import { localeOf } from '@/lib/i18n/languages'
import { say, type Writer } from '@/lib/i18n/message'
import { writer } from '@/lib/i18n/translate'
import { limitKey } from '@/lib/net/address'
import { UNKNOWN_CLIENT } from '@/lib/net/clients'
import { type Runtime, runtime } from '@/lib/runtime'
import { authResponse } from '../auth'
import { requireSameOrigin } from '../authorise'
import { readText, typeOf } from '../body'
import type { Endpoint } from '../endpoint'
import { logged } from '../logged'
import { knownError } from '../problem'
import type { FileForm } from './file-form'
import { type FormCall, type FormRoute, NEEDS_SCRIPTS, type Outcome, toldBy } from './form-route'
import { FORMS } from './forms'

/** What a form that was sent without scripts is answered with: another page, or its own with what came of it. */
export type FormAnswer = { cookies: string[]; headers: Record<string, string> } & (
  | { to: string }
  | { sent: SentForm; status: number }
)

/**
 * Answers a form that a page sent by itself: its scripts have not come yet, or do not run.
 * @param request a POST to the page's own address, as the browser sends forms
 * @param read reads it; one with a file is read by ./file-form.ts
 */
export async function answerForm(request: Request, read = readForm): Promise<FormAnswer> {
  const ctx = await runtime()
  const answered = { cookies: [] as string[], headers: {} as Record<string, string> }
  const write = writer(localeOf(request.headers))
  let sent: SentForm = { form: null, values: {}, errors: {}, failure: null, result: undefined }
  try {
    const { address } = ctx.scope.getStore()?.client ?? UNKNOWN_CLIENT
    await ctx.limits.consume('form', limitKey(address))
    const { data, file } = await read(request)
    const page = new URL(request.url)
    const [name, form] = formOf(data, page)
    if (file && !form.takesFile) throw new TerseError('unsupported_media_type', say('api.request.form'))
    sent = { ...sent, form: name, values: valuesOf(data, form.keeps) }
    requireSameOrigin(request.headers, ctx.config.BASE_URL)
    const told = recorder(answered)
    const outcome: Outcome<unknown> = await form.answer({
      ctx,
      data,
      file,
      page,
      write,
      ...endpoints(ctx, request, write, told.record),
    })
    if ('to' in outcome) {
      if (outcome.cookie) answered.cookies.push(outcome.cookie)
      return { ...answered, to: outcome.to }
    }
    if ('show' in outcome) {
      const shown = { ...sent, form: outcome.show, values: valuesOf(data, FORMS[outcome.show].keeps) }
      return { ...answered, sent: shown, status: 200 }
    }
    if ('result' in outcome) return { ...answered, sent: { ...sent, result: outcome.result }, status: outcome.status }
    const { message, fields } = outcome.failure
    // What no field of the form is about is said above it.
    const placed = Object.keys(fields).some((field) => fields[field] && data.has(field))
    const status = outcome.status ?? told.status()
    const errors = { ...askedAgain(data, form.secrets ?? [], write), ...fields }
    return { ...answered, sent: { ...sent, errors, failure: placed ? null : message }, status }
  } catch (error) {
    if (!isTerseError(error)) ctx.log.error({ err: error, form: sent.form }, 'a form that was sent without scripts failed')
    const known = knownError(error, ctx.scope.getStore()?.requestId)
    if (known.retryAfter !== undefined) answered.headers['Retry-After'] = String(known.retryAfter)
    return { ...answered, sent: { ...sent, failure: write(known.said) }, status: known.status }
  }
}

/** @throws TerseError 'unsupported_media_type', 'payload_too_large' or 'bad_request' */
async function readForm(request: Request): Promise<FileForm> {
  if (typeOf(request) !== 'application/x-www-form-urlencoded') {
    throw new TerseError('unsupported_media_type', say('api.request.form'))
  }
  const data = new FormData()
  for (const [name, value] of new URLSearchParams(await readText(request))) data.append(name, value)
  return { data, file: null }
}

/** @throws TerseError 'bad_request' for a form that this page does not have */
function formOf(data: FormData, page: URL): [FormName, FormRoute<FormName>] {
  // The button that was pressed has the last word.
  const name = data.getAll('form').at(-1)
  const known = typeof name === 'string' && Object.hasOwn(FORMS, name) ? (name as FormName) : null
  if (known === null || !FORMS[known].pages.test(page.pathname)) {
    throw new TerseError('bad_request', NEEDS_SCRIPTS)
  }
  return [known, FORMS[known] as FormRoute<FormName>]
}

function valuesOf(data: FormData, keeps: readonly string[]): Record<string, string> {
  const names = keeps.flatMap((name) =>
    name.endsWith('*') ? [...data.keys()].filter((field) => field.startsWith(name.slice(0, -1))) : [name],
  )
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = data.get(name)
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
}

/** A secret that was typed and is not sent back would be missing from what is sent next, as would a link's password. */
function askedAgain(data: FormData, secrets: readonly string[], write: Writer): FieldErrors {
  return Object.fromEntries(secrets.filter((name) => data.get(name)).map((name) => [name, write(say('api.request.again'))]))
}

/** Takes over from the API's answers what the browser is to have, and by what status the last was refused. */
function recorder(answered: { cookies: string[]; headers: Record<string, string> }) {
  let last = 422
  return {
    record(response: Response): void {
      answered.cookies.push(...response.headers.getSetCookie())
      const wait = response.headers.get('retry-after')
      if (wait !== null) answered.headers['Retry-After'] = wait
      if (!response.ok) last = response.status
    },
    status: () => last,
  }
}

/** Headers that say who asks; of the rest of a form's headers the API would only misunderstand some. */
const PASSED_ON = ['accept-language', 'cookie', 'origin', 'sec-fetch-site', 'user-agent']

/** The API, asked as the browser that sent `request`. */
function endpoints(
  { config }: Runtime,
  request: Request,
  write: Writer,
  record: (response: Response) => void,
): Pick<FormCall, 'api' | 'auth' | 'upload'> {
  const asked = (more: Record<string, string>) => {
    const headers = new Headers(more)
    for (const name of PASSED_ON) {
      const value = request.headers.get(name)
      if (value !== null) headers.set(name, value)
    }
    return headers
  }
  const call = async (endpoint: Endpoint, request: Request, params: Record<string, string> = {}) => {
    const { path } = endpoint.spec
    const response = await logged(request, path, () => endpoint(request, { params: Promise.resolve(params) }))
    record(response)
    return toldBy(response, path, write)
  }
  const post = (path: string, body: unknown, more: Record<string, string> = {}) => {
    const headers = asked({ ...more, 'content-type': 'application/json' })
    return new Request(config.BASE_URL + path, { method: 'POST', headers, body: JSON.stringify(body) })
  }
  return {
    api: (endpoint, body, headers, params) => call(endpoint, post(endpoint.spec.path, body, headers), params),
    upload(endpoint, query, type, { bytes, atLeast }) {
      const headers = asked({ 'content-type': type, ...(atLeast > 0 && { 'content-length': String(atLeast) }) })
      // What is left of it once it is refused is let go by who gave it: destroyed, it would hold up the rest of the form.
      const body = Readable.toWeb(Readable.from(bytes.iterator({ destroyOnReturn: false }))) as ReadableStream<Uint8Array>
      const sent = { method: 'POST', headers, body, duplex: 'half' } as const
      return call(endpoint, new Request(config.BASE_URL + endpoint.spec.path + query, sent))
    },
    async auth(path, body, headers) {
      const response = await authResponse(post(`/api/auth${path}`, body, headers))
      record(response)
      const json = (await response.json().catch(() => null)) as { code?: string; message?: string } | null
      if (response.ok) return { ok: true, value: json }
      const { code = '', message } = json ?? {}
      return { ok: false, failure: refusalOf({ status: response.status, code, message }, write), code }
    },
  }
}
