import type { Instrumentation } from 'next'
import type { Runtime } from '@/lib/runtime'
import { RUNTIME_KEY } from '@/lib/tools/runtime-key'

const store = globalThis as { [RUNTIME_KEY]?: Promise<Runtime> }

/**
 * Logs a page that failed, with the id of its request and the reference that app/error.tsx shows. Next.js itself writes the error to
 * the console, without either. The page is told by its route: addresses hold secrets, such as the token of an invitation.
 */
export const onRequestError: Instrumentation.onRequestError = async (error, _, { routePath }) => {
  const runtime = await store[RUNTIME_KEY]
  const { digest } = error as { digest?: string }
  runtime?.log.error({ err: error, reference: digest, page: routePath }, 'a page failed')
}
