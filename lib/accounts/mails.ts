import type { Locale } from '@/lib/i18n/languages'
import { translator } from '@/lib/i18n/translate'
import type { Mail } from '@/lib/mail/mailer'
import type { Change } from './notices'

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
export function changeMail(email: string, change: Change, baseUrl: string, locale: Locale): Mail {
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

function keyOf(change: Change) {
  if (change.kind === 'second factor') return change.on ? 'secondFactorOn' : 'secondFactorOff'
  return change.kind === 'API key' ? 'apiKey' : change.kind
}
