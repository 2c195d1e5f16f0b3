import type { z } from 'zod'
import { type SpokenInput, SpokenView } from '@/lib/links/schemas'
import { type Result, send } from './http'

type SpokenBody = z.input<typeof SpokenInput>

/** A number that leads to `body.url` for a while. */
export function createSpoken(body: SpokenBody): Promise<Result<SpokenView>> {
  return send('POST', '/api/v1/spoken', SpokenView, { body })
}
