import { z } from 'zod'
import { accountName, SetupInput } from '@/lib/accounts/schemas'
import { say, type Writer } from '@/lib/i18n/message'
import { CreateLink, SpokenInput } from '@/lib/links/schemas'
import { CreateReport, REPORT_REASONS } from '@/lib/reports/schemas'
import { SHOWN } from '@/lib/tools/issues'
import { type Failure, failed } from './failure'
import { completeAddress, type FieldErrors, fieldErrors, textOf } from './fields'

/**
 * What each form means, as a body for the API: read once here, by the browser where scripts run and by the server where
 * they do not. Whether it is accepted is for the API to say; what a schema knows already is said at its field at once.
 */
export type Read<T> = { ok: true; value: T } | { ok: false; failure: Failure }

const wrong = (fields: FieldErrors) => failed('invalid', '', fields)

/** What `schema` says of a body; the body itself is sent, for the server to make the same of it. */
function checked<S extends z.ZodType>(schema: S, body: z.input<S>, write: Writer): Read<z.input<S>> {
  const parsed = schema.safeParse(body, SHOWN)
  return parsed.success ? { ok: true, value: body } : wrong(fieldErrors(parsed.error, write))
}

/**
 * Only what was filled in: what is left out gets the server's defaults.
 * @param timeOf what a typed time means, as an ISO time: the browser knows its zone
 */
export function readLink(
  data: FormData,
  timeOf: (typed: string) => string | null,
  write: Writer,
): Read<z.input<typeof CreateLink>> {
  const url = completeAddress(textOf(data, 'url'))
  if (url === '') return wrong({ url: write(say('forms.url')) })
  const code = textOf(data, 'code').trim()
  const expiresAt = timeOf(textOf(data, 'expiresAt'))
  const password = textOf(data, 'password')
  const body = { url, ...(code && { code }), ...(expiresAt && { expiresAt }), ...(password && { password }) }
  const read = checked(CreateLink, body, write)
  if (read.ok && expiresAt && Date.parse(expiresAt) <= Date.now()) return wrong({ expiresAt: write(say('forms.future')) })
  return read
}

/** The value of a `datetime-local` input where nobody knows the visitor's zone. */
export const timeInUtc = (typed: string): string | null =>
  typed === '' ? null : `${typed.length === 16 ? `${typed}:00` : typed}Z`

export function readSpoken(data: FormData, write: Writer): Read<z.input<typeof SpokenInput>> {
  const url = completeAddress(textOf(data, 'url'))
  if (url === '') return wrong({ url: write(say('forms.url')) })
  // Anything else than a choice of the form is for the schema to refuse.
  return checked(SpokenInput, { url, digits: Number(textOf(data, 'digits')) as 4, ttl: Number(textOf(data, 'ttl')) }, write)
}

export function readReport(data: FormData, write: Writer): Read<z.input<typeof CreateReport>> {
  // A reason that was not chosen is left out, for the schema to miss.
  const reason = REPORT_REASONS.find((known) => known === textOf(data, 'reason'))
  const body = { shortUrl: textOf(data, 'shortUrl'), details: textOf(data, 'details'), email: textOf(data, 'email').trim() }
  return checked(CreateReport, { ...body, reason: reason as NonNullable<typeof reason> }, write)
}

const HANDLE = /^[1-9]\d{7}$/

/** Which account to sign in, and how: by an e-mail address or by a handle. */
export type Login = { email: string; password: string } | { username: string; password: string }

export function readLogin(data: FormData, write: Writer): Read<Login> {
  const login = textOf(data, 'login').trim()
  const password = textOf(data, 'password')
  if (!login || !password) {
    return wrong({
      ...(!login && { login: write(say('forms.login')) }),
      ...(!password && { password: write(say('forms.yourPassword')) }),
    })
  }
  // Handles are often written down in groups.
  const digits = login.replace(/[\s-]/g, '')
  return { ok: true, value: HANDLE.test(digits) ? { username: digits, password } : { email: login, password } }
}

/** The address that was typed to sign in, or '' where that was a handle: what a mail could be sent to. */
export function addressIn(login: string): string {
  return login.includes('@') ? login.trim() : ''
}

export function readCode(data: FormData, write: Writer): Read<{ code: string; trustDevice: boolean }> {
  const code = textOf(data, 'code').replace(/\s/g, '')
  return code === ''
    ? wrong({ code: write(say('forms.oneTimeCode')) })
    : { ok: true, value: { code, trustDevice: data.has('trust') } }
}

const Person = SetupInput.omit({ token: true })

/** Who a new account is for. */
export function readPerson(data: FormData, write: Writer): Read<z.infer<typeof Person>> {
  const person = { name: textOf(data, 'name'), email: textOf(data, 'email').trim(), password: textOf(data, 'password') }
  const { success, data: value, error } = Person.safeParse(person, SHOWN)
  return success ? { ok: true, value } : wrong(fieldErrors(error, write))
}

export function readEmail(data: FormData, write: Writer): Read<{ email: string }> {
  return checked(SetupInput.pick({ email: true }), { email: textOf(data, 'email').trim() }, write)
}

export function readNewPassword(data: FormData, write: Writer): Read<{ password: string }> {
  return checked(SetupInput.pick({ password: true }), { password: textOf(data, 'password') }, write)
}

export function readName(data: FormData, write: Writer): Read<{ name: string }> {
  return checked(z.object({ name: accountName }), { name: textOf(data, 'name') }, write)
}
