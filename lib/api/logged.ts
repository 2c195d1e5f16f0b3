import { runtime } from '@/lib/runtime'

/**
 * Answers a request to the API, and leaves a line in the log, by which its id can be found.
 * @param path the route's pattern: a path itself can hold a token, or whatever was typed
 */
export async function logged({ method }: Request, path: string, answer: () => Promise<Response>): Promise<Response> {
  const begun = performance.now()
  const response = await answer()
  const { log } = await runtime()
  log.info({ method, path, status: response.status, ms: Math.round(performance.now() - begun) }, 'api')
  return response
}
