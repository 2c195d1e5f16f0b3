import type { AccountView } from '@/lib/accounts/schemas'
import type { LinkView, SpokenView } from '@/lib/links/schemas'
import type { GuessedColumn } from '@/lib/movers/columns'
import type { TestEmail } from '@/lib/overview/schemas'
import type { FieldErrors } from './fields'

/**
 * The forms that a page shows before its scripts have come, and what is shown once each was accepted: null for one that
 * then leads to another page. lib/api/forms answers each; `Form` of app/_ui/base takes no other name.
 */
export interface FormResults {
  shorten: LinkView
  spoken: SpokenView
  report: { reference: string }
  'sign-in': null
  'second-factor': null
  'sign-up': { email: string }
  verification: { email: string }
  reset: { email: string }
  'new-password': true
  setup: null
  'sign-out': null
  'test-email': TestEmail
  /** Buttons of the front page that show its other form. */
  'show-shorten': null
  'show-spoken': null
  /** Those in the footer of every page. */
  language: null
  scheme: null
  name: Pick<AccountView, 'name'>
  username: null
  email: null
  /** The file of an import: its columns, where these are to be looked at; else its dry run. */
  import: { columns: readonly GuessedColumn[] } | null
  /** Another service that is asked for its links. */
  'import-live': null
  /** What is done with the dry run of an import. */
  'import-step': null
  password: true
}

export type FormName = keyof FormResults

/** A form that was sent without scripts, as the page needs it to say what came of it. */
export interface SentForm {
  /** null for one that could not be read at all. */
  form: FormName | null
  /** What was typed, but for secrets. */
  values: Readonly<Record<string, string>>
  errors: FieldErrors
  /** What is wrong with all of it. */
  failure: string | null
  /** What came of it; undefined while there is something to put right. */
  result: unknown
}

/** What was sent of this form, or null. */
export function sentOf(sent: SentForm | null, form: FormName): SentForm | null {
  return sent?.form === form ? sent : null
}

/** What came of this form, or null where it was not sent or not accepted. */
export function resultOf<F extends FormName>(sent: SentForm | null, form: F): FormResults[F] | null {
  return sent?.form === form && sent.result !== undefined ? (sent.result as FormResults[F]) : null
}
