import type { z } from 'zod'
import { type SpokenInput, SpokenView } from '@/lib/links/schemas'
import { type Result, send } from './http'

export type SpokenBody = z.input<typeof SpokenInput>

/** A number that leads to `body.url` for a while. */
export async function createSpoken(body: SpokenBody): Promise<Result<SpokenView>> {
  const result = await send('POST', '/api/v1/spoken', SpokenView, { body })
  if (result.ok || result.failure.kind !== 'unavailable' || result.failure.said === null) return result
  // All numbers may be taken: the server says so, and when one frees.
  const { said, wait } = result.failure
  return { ok: false, failure: { ...result.failure, message: `${said} Try again ${wait}.` } }
}
