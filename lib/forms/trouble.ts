import type { Failure } from './failure'
import type { FieldErrors } from './fields'

/** Why a form was not taken: by field, or as a whole. */
export interface Trouble {
  message: string
  fields: FieldErrors
}

/** One field of a form stands for both of what the API signs in by. */
export const signInTrouble = ({ message, fields: { email, ...fields } }: Failure): Trouble => ({
  message,
  fields: email ? { ...fields, login: email } : fields,
})

/** Of a report: that there is no such link is about what was typed as one. */
export const reportTrouble = ({ kind, message, said, fields }: Failure): Trouble =>
  kind === 'gone' ? { message, fields: { shortUrl: said ?? 'There is no such link here.' } } : { message, fields }

/** Of a spoken code: all numbers may be taken, and the server says so, and when one frees. */
export const spokenTrouble = ({ kind, message, said, wait, fields }: Failure): Trouble => ({
  message: kind === 'unavailable' && said !== null ? `${said} Try again ${wait}.` : message,
  fields,
})
