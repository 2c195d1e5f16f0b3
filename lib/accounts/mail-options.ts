import type { BetterAuthOptions } from 'better-auth'
import type { Config } from '@/lib/config'
import { localeOf } from '@/lib/i18n/languages'
import { type Purpose, sendAsked } from '@/lib/mail/asked'
import type { Mail, Mailer } from '@/lib/mail/mailer'
import { limitKey } from '@/lib/net/address'
import type { Limits } from '@/lib/net/limits'
import { localeFor } from './language'
import { changeEmailMail, knownAddressMail, resetMail, verificationMail } from './mails'
import { CLIENT_HEADER } from './names'

type MailOptions = Required<Pick<BetterAuthOptions, 'emailAndPassword' | 'emailVerification'>> & {
  changeEmail: NonNullable<NonNullable<BetterAuthOptions['user']>['changeEmail']>
}

/**
 * What better-auth does by mail: with a mail server addresses are verified before the first sign-in, and nobody is
 * told which have an account; without one neither can be, and an admin makes the links for resets.
 */
export function mailOptions({ BASE_URL }: Config, mailer: Mailer, limits: Limits): MailOptions {
  if (!mailer.enabled) {
    return {
      emailAndPassword: { enabled: true },
      emailVerification: {},
      changeEmail: { enabled: true, updateEmailWithoutVerification: true },
    }
  }
  // Nobody waits for a mail server: how long it takes would tell that there is an account.
  const send = async (purpose: Purpose, mail: Mail, request: Request | undefined) => {
    const address = request?.headers.get(CLIENT_HEADER) ?? null
    void sendAsked({ mailer, limits }, mail, purpose, address === null ? null : limitKey(address))
  }
  return {
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      sendResetPassword: ({ user, token }, request) =>
        send(
          'reset',
          resetMail(user.email, `${BASE_URL}/reset-password?token=${token}`, 1, localeFor(user, localeOf(request?.headers))),
          request,
        ),
      onExistingUserSignUp: ({ user }, request) =>
        send('notice', knownAddressMail(user.email, BASE_URL, localeFor(user, localeOf(request?.headers))), request),
      customSyntheticUser: ({ coreFields, id }) => ({
        ...coreFields,
        id,
        role: 'user',
        banned: false,
      }),
    },
    emailVerification: {
      sendOnSignUp: true,
      // Each attempt would send one; the page offers to have it sent again, which is limited.
      sendOnSignIn: false,
      // A mailbox alone signs nobody in: the one who typed the address first would share the account with its owner.
      autoSignInAfterVerification: false,
      sendVerificationEmail: ({ user, url }, request) =>
        send('verification', verificationMail(user.email, url, localeFor(user, localeOf(request?.headers))), request),
    },
    changeEmail: {
      enabled: true,
      sendChangeEmailConfirmation: ({ user, newEmail, url }, request) =>
        send('change', changeEmailMail(user.email, newEmail, url, localeFor(user, localeOf(request?.headers))), request),
    },
  }
}
