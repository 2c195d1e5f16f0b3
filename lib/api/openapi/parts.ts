import { z } from 'zod'

/** What the parts of the OpenAPI document share. */

const Problem = z
  .object({
    type: z.string(),
    title: z.string().meta({ example: 'Unprocessable Entity' }),
    status: z.int().meta({ example: 422 }),
    detail: z.string(),
    code: z.string().meta({ description: 'Stays the same from release to release.', example: 'validation_failed' }),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Problem', description: 'An error (RFC 9457).' })

const ERRORS = {
  400: 'Not JSON or CSV, or not decodable',
  401: 'A token is missing, or not good',
  403: 'The caller may not do this',
  404: 'There is none',
  409: 'The code is taken or in quarantine, or the link is in use',
  410: 'The link was deleted and can be restored',
  413: 'The body is longer than 64 KB, or a list longer than 5 MB',
  415: 'The body is of another type',
  422: 'A field is missing or invalid; `errors` names it',
  429: 'Too many requests; see Retry-After',
  503: 'The database does not answer; see Retry-After',
} as const

export type ErrorStatus = keyof typeof ERRORS

/** The answers that are errors, by status. */
export function errors(...statuses: ErrorStatus[]) {
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      { description: ERRORS[status], content: { 'application/problem+json': { schema: Problem } } },
    ]),
  )
}

export const jsonOf = <S extends z.ZodType>(schema: S) => ({ 'application/json': { schema } })

/** An account's key to the API. */
export const byKey = [{ apiKey: [] }]
/** A browser that is signed in: what a key that leaked must not be able to do. */
export const bySession = [{ session: [] }]

/** Answers to a body that is not as it should be. */
export const badBody = errors(400, 413, 415, 422)
