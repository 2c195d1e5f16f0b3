import type { Locale } from '@/lib/i18n/languages'
import { translator } from '@/lib/i18n/translate'
import type { Mail } from '@/lib/mail/mailer'
import type { Change, UsernameBan } from './notices'

/** A change of who gets in. */
type AccessChange = Exclude<Change, UsernameBan>

/** What each mail about accounts says. Each names the site and the account: a reader may have several of both. */

/** @param url any address of this site */
const site = (url: string) => new URL(url).host
const resetUrl = (url: string) => `${new URL(url).origin}/reset`

export function verificationMail(email: string, url: string, locale: Locale): Mail {
  const t = translator(locale, 'mail')
  return { to: email, locale, subject: t('verification.subject'), text: t('verification.text', { email, site: site(url), url }) }
}

/** @param hours for which the link works */
export function resetMail(email: string, url: string, hours: number, locale: Locale): Mail {
  const t = translator(locale, 'mail')
  return { to: email, locale, subject: t('reset.subject'), text: t('reset.text', { email, site: site(url), url, hours }) }
}

export function changeEmailMail(email: string, newEmail: string, url: string, locale: Locale): Mail {
  const t = translator(locale, 'mail')
  const text = t('changeEmail.text', { email, newEmail, site: site(url), url, resetUrl: resetUrl(url) })
  return { to: email, locale, subject: t('changeEmail.subject'), text }
}

export function knownAddressMail(email: string, baseUrl: string, locale: Locale): Mail {
  const t = translator(locale, 'mail')
  const text = t('known.text', { email, site: site(baseUrl), signInUrl: `${baseUrl}/sign-in`, resetUrl: resetUrl(baseUrl) })
  return { to: email, locale, subject: t('known.subject'), text }
}

export function invitationMail(email: string, url: string, expiresAt: Date, locale: Locale): Mail {
  const t = translator(locale, 'mail')
  return {
    ...{ to: email, locale },
    subject: t('invitation.subject', { site: site(url) }),
    text: t('invitation.text', { email, site: site(url), url, expiresAt }),
  }
}

/** Says what has changed about who gets into an account. */
export function changeMail(email: string, change: AccessChange, baseUrl: string, locale: Locale): Mail {
  const t = translator(locale, 'mail')
  const key = keyOf(change)
  const what = t(`change.what.${key}`, { email, site: site(baseUrl), name: 'name' in change ? change.name : '' })
  const settingsUrl = `${baseUrl}/dashboard/settings/security`
  return {
    ...{ to: email, locale },
    subject: t(`change.subject.${key}`),
    text: t('change.text', { what, resetUrl: resetUrl(baseUrl), settingsUrl }),
  }
}

/** Says that an admin took a username away, and what stays. */
export function usernameMail(email: string, { username, handle, reason }: UsernameBan, baseUrl: string, locale: Locale): Mail {
  const t = translator(locale, 'mail')
  const settingsUrl = `${baseUrl}/dashboard/settings`
  const why = reason === '' ? '' : `\n\n${t('usernameBan.reason', { reason })}`
  const text = t('usernameBan.text', { email, site: site(baseUrl), username, handle, why, settingsUrl })
  return { to: email, locale, subject: t('usernameBan.subject', { username }), text }
}

function keyOf(change: AccessChange) {
  if (change.kind === 'second factor') return change.on ? 'secondFactorOn' : 'secondFactorOff'
  return change.kind === 'API key' ? 'apiKey' : change.kind
}
