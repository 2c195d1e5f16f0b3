import { INVITATION_HEADER } from '@/lib/accounts/names'
import { nextPath } from '@/lib/accounts/next-path'
import { isScheme, SCHEME_COOKIE } from '@/lib/brand/scheme'
import { invalid, reportFailure, signInFailure, spokenFailure } from '@/lib/forms/failure'
import { textOf } from '@/lib/forms/fields'
import { NEW_LINK, readNewLink } from '@/lib/forms/link'
import { readCode, readEmail, readLogin, readNewPassword, readPerson, readReport, readSpoken, timeInUtc } from '@/lib/forms/read'
import type { FormName } from '@/lib/forms/sent'
import { signedInBy } from '@/lib/forms/signed-in'
import { isLanguage, LANGUAGE_COOKIE } from '@/lib/i18n/languages'
import { type Message, say } from '@/lib/i18n/message'
import { uuidFrom } from '@/lib/links/idempotency'
import type { LinkView, SpokenView } from '@/lib/links/schemas'
import { isHttps } from '@/lib/net/host'
import type { TestEmail } from '@/lib/overview/schemas'
import { choiceCookie } from '@/lib/tools/choice-cookie'
import { patchAccount, postSetup } from '../account'
import { postLink, postSpoken } from '../links'
import { postReport } from '../reports'
import { postTestEmail } from '../system'
import { type FormCall, type FormRoute, NEEDS_SCRIPTS, unread } from './form-route'
import { IMPORT_FORMS } from './import-forms'

/** Not `//host`, which would lead there. */
const ANY = /^\/(?!\/)/
const FRONT = /^\/$/
const SIGN_IN = /^\/sign-in$/
/** A token of an invitation has these characters alone, and becomes a header. */
const SIGN_UP = /^\/(?:sign-up|invite\/([\w-]+))$/

/** Of the settings: changed by scripts only, and told so to those who send them without. */
const withScripts = (pages: RegExp, keeps: readonly string[]) => ({
  pages,
  keeps,
  answer: async ({ write }: FormCall) => ({ failure: invalid({}, write(NEEDS_SCRIPTS)), status: 422 }),
})

/** A button of the front page that shows its other form in place of the one that it is in, with what was typed. */
const show = (other: 'shorten' | 'spoken') => ({ pages: FRONT, keeps: [], answer: async () => ({ show: other }) })

/** A choice in the footer of every page, kept in a cookie: the same page again, as chosen. */
const choice = (name: string, isKnown: (value: unknown) => boolean, refusal: Message) => ({
  pages: ANY,
  keeps: [],
  async answer({ ctx, data, page, write }: FormCall) {
    const chosen = textOf(data, name)
    if (!isKnown(chosen)) return { failure: invalid({}, write(refusal)), status: 422 }
    return { to: page.pathname + page.search, cookie: choiceCookie(name, chosen, isHttps(ctx.config.BASE_URL)) }
  },
})

const choiceOfLanguage = choice(LANGUAGE_COOKIE, isLanguage, say('api.request.language'))

/** What answers each form that is sent without scripts. */
export const FORMS: { readonly [F in FormName]: FormRoute<F> } = {
  shorten: {
    pages: FRONT,
    keeps: Object.keys(NEW_LINK).filter((name) => name !== 'password'),
    secrets: ['password'],
    async answer({ data, api, write }) {
      const read = readNewLink(data, timeInUtc, write)
      if (!read.ok) return unread(read)
      // The page gives each of its forms a name of its own: sent twice, as by a second click, it is one link.
      const attempt = textOf(data, 'attempt')
      const once = { 'Idempotency-Key': uuidFrom(`${attempt}\n${JSON.stringify(read.value)}`) }
      const told = await api(postLink, read.value, attempt === '' ? {} : once)
      return told.ok ? { result: told.value as LinkView, status: 201 } : { failure: told.failure }
    },
  },

  spoken: {
    pages: FRONT,
    keeps: ['url', 'digits', 'ttl'],
    async answer({ data, api, write }) {
      const read = readSpoken(data, write)
      if (!read.ok) return unread(read)
      const told = await api(postSpoken, read.value)
      return told.ok ? { result: told.value as SpokenView, status: 201 } : { failure: spokenFailure(told.failure, write) }
    },
  },

  report: {
    pages: /^\/report$/,
    keeps: ['shortUrl', 'reason', 'details', 'email'],
    async answer({ data, api, write }) {
      const read = readReport(data, write)
      if (!read.ok) return unread(read)
      const told = await api(postReport, read.value)
      return told.ok ? { result: told.value as { reference: string }, status: 201 } : { failure: reportFailure(told.failure) }
    },
  },

  language: {
    ...choiceOfLanguage,
    async answer(call) {
      const outcome = await choiceOfLanguage.answer(call)
      // Who is signed in is written to in it, too. For others, and while MySQL is away, the cookie is enough.
      if ('to' in outcome) await call.api(patchAccount, { language: textOf(call.data, LANGUAGE_COOKIE) })
      return outcome
    },
  },

  scheme: choice(SCHEME_COOKIE, isScheme, say('api.request.scheme')),

  'sign-in': {
    pages: SIGN_IN,
    keeps: ['login'],
    secrets: ['password'],
    async answer({ data, page, auth, write }) {
      const read = readLogin(data, write)
      if (!read.ok) return unread(read)
      const path = 'username' in read.value ? '/sign-in/username' : '/sign-in/email'
      const told = await auth(path, { ...read.value, callbackURL: '/verify' })
      const next = nextPath(page.searchParams.get('next') ?? undefined)
      if (!told.ok) return { failure: signInFailure(told.failure) }
      const isAskedForCode = signedInBy(told.value) === 'second factor'
      return { to: isAskedForCode ? `/sign-in?${new URLSearchParams({ step: 'code', next })}` : next }
    },
  },

  'second-factor': {
    pages: SIGN_IN,
    keeps: ['trust'],
    async answer({ data, page, auth, write }) {
      const read = readCode(data, write)
      if (!read.ok) return unread(read)
      const backup = page.searchParams.get('step') === 'backup'
      const told = await auth(`/two-factor/verify-${backup ? 'backup-code' : 'totp'}`, read.value)
      return told.ok ? { to: nextPath(page.searchParams.get('next') ?? undefined) } : { failure: told.failure }
    },
  },

  'sign-up': {
    pages: SIGN_UP,
    keeps: ['name', 'email'],
    secrets: ['password'],
    async answer({ data, page, auth, write }) {
      const read = readPerson(data, write)
      if (!read.ok) return unread(read)
      const invitation = SIGN_UP.exec(page.pathname)?.[1]
      const headers: Record<string, string> = invitation === undefined ? {} : { [INVITATION_HEADER]: invitation }
      const told = await auth('/sign-up/email', { ...read.value, callbackURL: '/verify' }, headers)
      if (!told.ok) return { failure: told.failure }
      return signedInBy(told.value) === 'signed in'
        ? { to: '/sign-up/done' }
        : { result: { email: read.value.email }, status: 200 }
    },
  },

  verification: {
    pages: /^\/(sign-in|sign-up|invite\/[\w-]+)$/,
    keeps: ['email'],
    async answer({ data, auth, write }) {
      const read = readEmail(data, write)
      if (!read.ok) return unread(read)
      const told = await auth('/send-verification-email', { ...read.value, callbackURL: '/verify' })
      return told.ok ? { result: read.value, status: 200 } : { failure: told.failure }
    },
  },

  reset: {
    pages: /^\/reset$/,
    keeps: ['email'],
    async answer({ data, auth, write }) {
      const read = readEmail(data, write)
      if (!read.ok) return unread(read)
      const told = await auth('/request-password-reset', read.value)
      return told.ok ? { result: read.value, status: 200 } : { failure: told.failure }
    },
  },

  'new-password': {
    pages: /^\/reset-password$/,
    keeps: [],
    secrets: ['password'],
    async answer({ data, page, auth, write }) {
      const read = readNewPassword(data, write)
      if (!read.ok) return unread(read)
      const body = { token: page.searchParams.get('token') ?? '', newPassword: read.value.password }
      const told = await auth('/reset-password', body)
      return told.ok ? { result: true, status: 200 } : { failure: told.failure }
    },
  },

  setup: {
    pages: /^\/setup$/,
    keeps: ['name', 'email'],
    secrets: ['password'],
    async answer({ data, page, api, write }) {
      const read = readPerson(data, write)
      if (!read.ok) return unread(read)
      const told = await api(postSetup, { ...read.value, token: page.searchParams.get('token') ?? '' })
      return told.ok ? { to: '/admin/setup' } : { failure: told.failure }
    },
  },

  ...IMPORT_FORMS,

  'sign-out': {
    pages: /^\/logout$/,
    keeps: [],
    async answer({ auth }) {
      const told = await auth('/sign-out', {})
      return told.ok ? { to: '/' } : { failure: told.failure }
    },
  },

  'test-email': {
    pages: /^\/admin\/setup$/,
    keeps: [],
    async answer({ api }) {
      const told = await api(postTestEmail, {})
      return told.ok ? { result: told.value as TestEmail, status: 200 } : { failure: told.failure }
    },
  },

  'show-shorten': show('shorten'),
  'show-spoken': show('spoken'),

  name: withScripts(/^\/dashboard\/settings$/, ['name']),
  username: withScripts(/^\/dashboard\/settings$/, ['username']),
  email: withScripts(/^\/dashboard\/settings\/security$/, ['email']),
  password: withScripts(/^\/dashboard\/settings\/security$/, []),
}
