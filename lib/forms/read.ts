import type { z } from 'zod'
import { MAX_PASSWORD, MIN_PASSWORD } from '@/lib/accounts/names'
import type { SetupInput } from '@/lib/accounts/schemas'
import { type Message, say, type Writer } from '@/lib/i18n/message'
import { parseDestination } from '@/lib/links/destination'
import type { SpokenInput } from '@/lib/links/schemas'
import type { CreateReport } from '@/lib/reports/schemas'
import { REPORT_REASONS } from '@/lib/reports/values'
import { type Failure, failed } from './failure'
import { completeAddress, type FieldErrors, textOf } from './fields'

/**
 * What each form means, as a body for the API: read once here, by the browser where scripts run and by the server where
 * they do not. Whether it is accepted is for the API to say, whose schemas are too heavy for a browser; what goes wrong most
 * is said at its field at once, in the API's own words. read.test.ts holds that nothing is refused here which the API would take.
 */
export type Read<T> = { ok: true; value: T } | { ok: false; failure: Failure }

const wrong = (fields: FieldErrors) => failed('invalid', '', fields)

/** `body`, unless something is wrong with one of its fields. */
export function checked<T>(body: T, problems: Record<string, Message | null>, write: Writer): Read<T> {
  const found = Object.entries(problems).flatMap(([name, problem]) => (problem ? [[name, write(problem)]] : []))
  return found.length === 0 ? { ok: true, value: body } : wrong(Object.fromEntries(found))
}

export function destinationProblem(url: string): Message | null {
  if (url === '') return say('forms.url')
  // Which schemes there are besides is for the server to say.
  const parsed = parseDestination(url, true)
  return parsed.ok ? null : parsed.problem
}

const nameProblem = (name: string) => (name.trim() === '' ? say('forms.name') : null)

/** The least that is an address of mail: a dot within what follows its one `@`. Looked at once, however long it is. */
function isEmail(text: string): boolean {
  const [name, domain = '', ...rest] = text.split('@')
  return name !== '' && rest.length === 0 && domain.slice(1, -1).includes('.') && !/\s/.test(text)
}

const emailProblem = (email: string) => (isEmail(email) ? null : say('forms.field.format', { format: 'email' }))

function passwordProblem({ length }: string): Message | null {
  if (length < MIN_PASSWORD) return say('forms.field.tooShort', { least: MIN_PASSWORD })
  return length > MAX_PASSWORD ? say('forms.field.tooLong', { most: MAX_PASSWORD }) : null
}

/** The value of a `datetime-local` input where nobody knows the visitor's zone. */
export const timeInUtc = (typed: string): string | null =>
  typed === '' ? null : `${typed.length === 16 ? `${typed}:00` : typed}Z`

export function readSpoken(data: FormData, write: Writer): Read<z.input<typeof SpokenInput>> {
  const url = completeAddress(textOf(data, 'url'))
  // Anything else than a choice of the form is for the API to refuse.
  const body = { url, digits: Number(textOf(data, 'digits')) as 4, ttl: Number(textOf(data, 'ttl')) }
  return checked(body, { url: destinationProblem(url) }, write)
}

export function readReport(data: FormData, write: Writer): Read<z.input<typeof CreateReport>> {
  const reason = REPORT_REASONS.find((known) => known === textOf(data, 'reason'))
  const body = { shortUrl: textOf(data, 'shortUrl'), details: textOf(data, 'details'), email: textOf(data, 'email').trim() }
  const problems = {
    shortUrl: body.shortUrl.trim() === '' ? say('forms.shortUrl') : null,
    reason: reason ? null : say('forms.reason'),
    email: body.email === '' || isEmail(body.email) ? null : say('forms.emailOrNone'),
  }
  return checked({ ...body, reason: reason as NonNullable<typeof reason> }, problems, write)
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

/** Who a new account is for. */
export function readPerson(data: FormData, write: Writer): Read<Omit<SetupInput, 'token'>> {
  const name = textOf(data, 'name')
  const email = textOf(data, 'email').trim()
  const password = textOf(data, 'password')
  const problems = { name: nameProblem(name), email: emailProblem(email), password: passwordProblem(password) }
  return checked({ name, email, password }, problems, write)
}

export function readEmail(data: FormData, write: Writer): Read<{ email: string }> {
  const email = textOf(data, 'email').trim()
  return checked({ email }, { email: emailProblem(email) }, write)
}

export function readNewPassword(data: FormData, write: Writer): Read<{ password: string }> {
  const password = textOf(data, 'password')
  return checked({ password }, { password: passwordProblem(password) }, write)
}

export function readName(data: FormData, write: Writer): Read<{ name: string }> {
  const name = textOf(data, 'name')
  return checked({ name }, { name: nameProblem(name) }, write)
}
