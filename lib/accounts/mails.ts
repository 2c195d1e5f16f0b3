import type { Mail } from '@/lib/mail/mailer'

/** What each mail about accounts says. */

const CLOSING = '\n\nIf this was not you, there is nothing to do: nothing changes until the link is opened.'

export const verificationMail = (to: string, url: string): Mail => ({
  to,
  subject: 'Confirm your e-mail address',
  text: `Open this link to confirm that this address is yours:\n\n${url}\n\nIt works for an hour.${CLOSING}`,
})

/** @param lifetime such as `an hour` */
export const resetMail = (to: string, url: string, lifetime: string): Mail => ({
  to,
  subject: 'Set a new password',
  text: `Open this link to set a new password for your account:\n\n${url}\n\nIt works once, for ${lifetime}.${CLOSING}`,
})

export const changeEmailMail = (to: string, newEmail: string, url: string): Mail => ({
  to,
  subject: 'Confirm the change of your e-mail address',
  text: `Your account is to have the address ${newEmail} instead of this one. Open this link if you want that:\n\n${url}\n\nIt works for an hour. The new address is asked to confirm too.${CLOSING}`,
})

export const knownAddressMail = (to: string, baseUrl: string): Mail => ({
  to,
  subject: 'You have an account already',
  text: `Someone, probably you, signed up with this address. It has an account already: sign in with it.\n\n${baseUrl}/sign-in\n\nIf you forgot its password, set a new one:\n\n${baseUrl}/reset`,
})

export const invitationMail = (to: string, url: string, expiresAt: Date): Mail => ({
  to,
  subject: 'You are invited',
  text: `You are invited to make an account for short links:\n\n${url}\n\nThe invitation works once, until ${expiresAt.toISOString().slice(0, 10)}.`,
})
