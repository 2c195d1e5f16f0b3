import type { IncomingMessage } from 'node:http'
import { type Message, say } from '@/lib/i18n/message'

/** More query parameters than any page or endpoint of ours has. */
const MOST_PARAMETERS = 100
/** More cookies than this site has, with those that a proxy or another application of the same host may add. */
const MOST_COOKIES = 100

/**
 * What is too much in a request for the framework to read: it takes quadratic time for the names of a query and of cookies, and
 * the 16 kB that node allows hold thousands of either, for seconds in which nothing else is answered. Redirects do not need this:
 * the lane reads neither.
 * @returns what is wrong, for the client; null for a request that may pass
 */
export function excessOf({ url = '/', headers }: IncomingMessage): Message | null {
  const query = url.indexOf('?')
  if (query !== -1 && hasMore(url, '&', query, MOST_PARAMETERS - 1))
    return say('api.request.parameters', { most: MOST_PARAMETERS })
  if (hasMore(headers.cookie ?? '', ';', 0, MOST_COOKIES - 1)) return say('api.request.cookies', { most: MOST_COOKIES })
  return null
}

/** Whether `mark` stands in `text` more than `most` times, from `start` on. */
function hasMore(text: string, mark: string, start: number, most: number): boolean {
  let count = 0
  for (let at = text.indexOf(mark, start); at !== -1; at = text.indexOf(mark, at + 1)) {
    count += 1
    if (count > most) return true
  }
  return false
}
