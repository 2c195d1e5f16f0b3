import type { LinkContext } from '@/lib/links/context'
import type { Mailer } from '@/lib/mail/mailer'
import type { Auth } from './auth'
import type { Credentials } from './credentials'
import type { HashTurns } from './hash-turns'

/** What every use case on accounts stands on. */
export interface AccountContext extends LinkContext {
  /** Loaded when it is first asked for, unless PRELOAD_PAGES has it loaded at the start. */
  auth: () => Promise<Auth>
  credentials: Credentials
  hashTurns: HashTurns
  mailer: Mailer
}
