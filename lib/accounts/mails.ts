import type { Mail } from '@/lib/mail/mailer'
import type { Change } from './notices'

/** What each mail about accounts says. Each names the site and the account: a reader may have several of both. */

/** @param url any address of this site */
const site = (url: string) => new URL(url).host
const originOf = (url: string) => new URL(url).origin

/** For what a stranger can ask for, and what nothing comes of by itself. */
const ignore = (why: string) => `\n\nIf this was not you, ignore this mail: ${why}`

/** For what only someone who is signed in can do. */
const alarm = (url: string, first: string) =>
  `\n\nIf this was not you, ${first} Set a new password now; that signs out everyone else:\n\n${originOf(url)}/reset`

export const verificationMail = (to: string, url: string): Mail => ({
  to,
  subject: 'Confirm your e-mail address',
  text: `Open this link to confirm that ${to} is your address, for an account at ${site(url)}:\n\n${url}\n\nIt works for an hour.${ignore('the address is not confirmed without the link.')}`,
})

/** @param lifetime such as `an hour` */
export const resetMail = (to: string, url: string, lifetime: string): Mail => ({
  to,
  subject: 'Set a new password',
  text: `Open this link to set a new password for the account of ${to} at ${site(url)}:\n\n${url}\n\nIt works once, for ${lifetime}.${ignore('the password stays as it is.')}`,
})

export const changeEmailMail = (to: string, newEmail: string, url: string): Mail => ({
  to,
  subject: 'Confirm the change of your e-mail address',
  text: `The address of your account at ${site(url)} is to change from ${to} to ${newEmail}. Open this link if you want that:\n\n${url}\n\nIt works for an hour. The new address has to be confirmed too.${alarm(url, 'do not open the link: someone is signed in to your account and may know your password.')}`,
})

export const knownAddressMail = (to: string, baseUrl: string): Mail => ({
  to,
  subject: 'You have an account already',
  text: `Someone, probably you, signed up at ${site(baseUrl)} with ${to}. This address has an account already: sign in with it.\n\n${baseUrl}/sign-in\n\nIf you forgot its password, set a new one:\n\n${baseUrl}/reset${ignore('your account stays as it is.')}`,
})

export const invitationMail = (to: string, url: string, expiresAt: Date): Mail => ({
  to,
  subject: 'You are invited',
  text: `You are invited to create an account for short links at ${site(url)}, with the address ${to}:\n\n${url}\n\nThe invitation works once, until ${expiresAt.toISOString().slice(0, 10)}.`,
})

/** Says what has changed about who gets into an account. */
export function changeMail(to: string, change: Change, baseUrl: string): Mail {
  const account = `your account at ${site(baseUrl)} (${to})`
  const [subject, what] = wordsOf(change, account)
  const settings = `${baseUrl}/dashboard/settings/security`
  return {
    to,
    subject,
    text: `${what}\n\nIf this was you, there is nothing to do.${alarm(baseUrl, 'someone else can get into your account.')}\n\nThen check your second factor, passkeys and API keys:\n\n${settings}`,
  }
}

function wordsOf(change: Change, account: string): [subject: string, what: string] {
  switch (change.kind) {
    case 'password':
      return ['Your password was changed', `The password of ${account} was changed. All other sign-ins have ended.`]
    case 'second factor':
      return change.on
        ? ['Your second factor was turned on', `Signing in to ${account} now asks for a code of your authenticator app.`]
        : ['Your second factor was turned off', `Signing in to ${account} no longer asks for a code: the password is enough.`]
    case 'passkey':
      return ['A new passkey was added', `The passkey “${change.name}” was added. It can sign in to ${account}.`]
    case 'API key':
      return ['A new API key was created', `The API key “${change.name}” was created. It can use ${account}.`]
  }
}
