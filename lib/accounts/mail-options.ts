import { randomInt } from 'node:crypto'
import type { BetterAuthOptions } from 'better-auth'
import type { Config } from '@/lib/config'
import type { Mail, Mailer } from '@/lib/mail/mailer'
import { changeEmailMail, knownAddressMail, resetMail, verificationMail } from './mails'

type MailOptions = Required<Pick<BetterAuthOptions, 'emailAndPassword' | 'emailVerification'>> & {
  changeEmail: NonNullable<NonNullable<BetterAuthOptions['user']>['changeEmail']>
}

/**
 * What better-auth does by mail: with a mail server addresses are verified before the first sign-in, and nobody is
 * told which have an account; without one neither can be, and an admin makes the links for resets.
 */
export function mailOptions({ BASE_URL }: Config, mailer: Mailer): MailOptions {
  if (!mailer.enabled) {
    return {
      emailAndPassword: { enabled: true },
      emailVerification: {},
      changeEmail: { enabled: true, updateEmailWithoutVerification: true },
    }
  }
  // Nobody waits for a mail server: how long it takes would tell that there is an account.
  const send = async (mail: Mail) => void mailer.send(mail)
  return {
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      sendResetPassword: ({ user, token }) => send(resetMail(user.email, `${BASE_URL}/reset-password?token=${token}`, 'an hour')),
      onExistingUserSignUp: ({ user }) => send(knownAddressMail(user.email, BASE_URL)),
      customSyntheticUser: ({ coreFields, id }) => ({
        ...coreFields,
        id,
        role: 'user',
        banned: false,
        username: String(randomInt(10_000_000, 100_000_000)),
      }),
    },
    emailVerification: {
      sendOnSignUp: true,
      sendOnSignIn: true,
      // A mailbox alone signs nobody in: whoever typed the address first would share the account with its owner.
      autoSignInAfterVerification: false,
      sendVerificationEmail: ({ user, url }) => send(verificationMail(user.email, url)),
    },
    changeEmail: {
      enabled: true,
      sendChangeEmailConfirmation: ({ user, newEmail, url }) => send(changeEmailMail(user.email, newEmail, url)),
    },
  }
}
